package gym

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An envSpec is the observation and action space of an environment of Gymnasium, or Gym before
// it: one of some states or actions, or numbers of a shape.
type envSpec struct {
	shows   tensor.Shape
	dtype   tensor.DType
	actions int64 // 0 if acts gives the space
	acts    tensor.Shape
	states  int64 // 0 if shows gives the space
}

// discrete is an environment with a number for each state.
func discrete(states, actions int64) envSpec {
	return envSpec{shows: tensor.Shape{}, dtype: "int64", actions: actions, states: states}
}

// robot is an environment of MuJoCo, with so many observations and motors.
func robot(observations, motors int64) envSpec {
	return envSpec{shows: tensor.Shape{observations}, dtype: "float64", acts: tensor.Shape{motors}}
}

// worlds are the environments of Gymnasium by their names without a version, or with it where
// versions differ, with their observation_space and action_space (gymnasium/envs; ale-py for the
// Atari games).
var worlds = map[string]envSpec{
	"CartPole":              {tensor.Shape{4}, "float32", 2, nil, 0},
	"MountainCar":           {tensor.Shape{2}, "float32", 3, nil, 0},
	"MountainCarContinuous": {tensor.Shape{2}, "float32", 0, tensor.Shape{1}, 0},
	"Pendulum":              {tensor.Shape{3}, "float32", 0, tensor.Shape{1}, 0},
	"Acrobot":               {tensor.Shape{6}, "float32", 3, nil, 0},
	"LunarLander":           {tensor.Shape{8}, "float32", 4, nil, 0},
	"LunarLanderContinuous": {tensor.Shape{8}, "float32", 0, tensor.Shape{2}, 0},
	"BipedalWalker":         {tensor.Shape{24}, "float32", 0, tensor.Shape{4}, 0},
	"CarRacing":             {tensor.Shape{96, 96, 3}, "uint8", 0, tensor.Shape{3}, 0},

	"FrozenLake":    discrete(16, 4),
	"FrozenLake8x8": discrete(64, 4),
	"CliffWalking":  discrete(48, 4),
	"Taxi":          discrete(500, 6),

	"Ant-v2":                    robot(111, 8),
	"Ant-v3":                    robot(111, 8),
	"Ant-v4":                    robot(27, 8),
	"Ant-v5":                    robot(105, 8),
	"HalfCheetah":               robot(17, 6),
	"Hopper":                    robot(11, 3),
	"Humanoid-v2":               robot(376, 17),
	"Humanoid-v3":               robot(376, 17),
	"Humanoid-v4":               robot(376, 17),
	"Humanoid-v5":               robot(348, 17),
	"HumanoidStandup-v2":        robot(376, 17),
	"HumanoidStandup-v4":        robot(376, 17),
	"HumanoidStandup-v5":        robot(348, 17),
	"InvertedPendulum":          robot(4, 1),
	"InvertedDoublePendulum-v2": robot(11, 1),
	"InvertedDoublePendulum-v4": robot(11, 1),
	"InvertedDoublePendulum-v5": robot(9, 1),
	"Pusher":                    robot(23, 7),
	"Reacher-v2":                robot(11, 2),
	"Reacher-v4":                robot(11, 2),
	"Reacher-v5":                robot(10, 2),
	"Swimmer":                   robot(8, 2),
	"Walker2d":                  robot(17, 6),
}

// reshaping are the arguments of environments that change a space, and so are those that begin with
// "include_".
var reshaping = map[string]bool{
	"continuous": true, "obs_type": true, "full_action_space": true, "desc": true, "map_name": true, "xml_file": true,
	"exclude_current_positions_from_observation": true, "use_contact_forces": true,
}

// games are the Atari games, with the number of joystick actions that each uses.
var games = map[string]int64{
	"Alien": 18, "Assault": 7, "Asteroids": 14, "Atlantis": 4, "BeamRider": 9, "Bowling": 6, "Boxing": 18, "Breakout": 4, "DemonAttack": 6,
	"Enduro": 9, "Freeway": 3, "Frostbite": 18, "Gopher": 8, "IceHockey": 18, "Kangaroo": 18, "Krull": 18, "KungFuMaster": 14,
	"MontezumaRevenge": 18, "MsPacman": 9, "Pitfall": 18, "Pong": 6, "Qbert": 6, "Riverraid": 18, "RoadRunner": 18, "Seaquest": 18, "Skiing": 3,
	"SpaceInvaders": 6, "Tennis": 18,
}

// worldOf returns the environment with a name, such as CartPole-v1 or ALE/Pong-v5.
func worldOf(name string) (envSpec, bool) {
	name = strings.TrimPrefix(name, "ALE/")
	if w, ok := worlds[name]; ok {
		return w, true
	}
	name, _, _ = strings.Cut(name, "-")
	if w, ok := worlds[name]; ok {
		return w, true
	}
	for _, variant := range []string{"NoFrameskip", "Deterministic"} {
		name = strings.TrimSuffix(name, variant)
	}
	n, ok := games[name]
	return envSpec{tensor.Shape{210, 160, 3}, "uint8", n, nil, 0}, ok
}

// environment is the result of gym.make.
type environment struct {
	value.Base
	lib *numpy.Library
	envSpec
	current bool // it is Gymnasium's
}

// Table are the functions and classes of Gymnasium, and of Gym before it.
var Table = []numpy.Table{gymRows("gym"), gymRows("gymnasium")}

func gymRows(library string) numpy.Table {
	return numpy.Table{
		library + ".make": makeEnvironment,
		// The wrappers that keep the observations and actions of an environment
		// (gymnasium/wrappers/rendering.py, common.py; Monitor was Gym's before).
		library + ".wrappers.Monitor": watched, library + ".wrappers.RecordVideo": watched, library + ".wrappers.RecordEpisodeStatistics": watched,
		library + ".wrappers.TimeLimit": watched, library + ".wrappers.OrderEnforcing": watched, library + ".wrappers.HumanRendering": watched,
	}
}

// watched is an environment in a wrapper: the environment.
func watched(c *numpy.Call) value.Value {
	if e, ok := objects.First(c.Args).X.(*environment); ok {
		return value.Value{X: e}
	}
	return value.Value{}
}

func makeEnvironment(c *numpy.Call) value.Value {
	id, _ := c.Args.Get(0, "id")
	text, _ := id.X.(string)
	w, ok := worldOf(text)
	if !ok || strings.Contains(text, "-ram") {
		return value.Value{}
	}
	for name := range c.Args.Keywords.Names() {
		if reshaping[name] || strings.HasPrefix(name, "include_") {
			return value.Value{}
		}
	}
	return value.Value{X: &environment{"an environment", c.Lib, w, strings.HasPrefix(c.Function, "gymnasium.")}}
}

func (e *environment) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "observation_space":
		return e.space(e.shows, e.dtype, e.states), true
	case "action_space":
		if e.actions > 0 {
			return e.space(tensor.Shape{}, "int64", e.actions), true
		}
		return e.space(e.acts, "float32", 0), true
	case "unwrapped", "env":
		return value.Value{X: e}, true
	case "reset":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if !e.current {
				return objects.Unknown(value.Environment, "what reset returns depends on the version of gym")
			}
			return value.Value{X: value.Tuple{e.observation(), {X: &value.Dict{}}}}
		})
	case "step":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if !e.current {
				return objects.Unknown(value.Environment, "what step returns depends on the version of gym")
			}
			happens := objects.Unknown(value.Random, "what happens in an environment")
			return value.Value{X: value.Tuple{e.observation(), happens, happens, happens, happens}}
		})
	case "close", "render", "seed":
		return objects.Method(objects.Nothing)
	}
	return e.Base.GetAttr(in, name)
}

// observation is what the environment shows.
func (e *environment) observation() value.Value {
	if e.states > 0 {
		return objects.Unknown(value.Random, "the state of an environment")
	}
	return e.lib.Array(e.shows, e.dtype)
}

// space returns an observation or action space.
func (e *environment) space(shape tensor.Shape, d tensor.DType, n int64) value.Value {
	sample, _ := objects.Method(func(*value.Interp, *value.Args) value.Value {
		if len(shape) == 0 {
			return objects.Unknown(value.Random, "an action that is drawn")
		}
		return e.lib.Array(shape, d)
	})
	tells := map[string]value.Value{"shape": objects.ShapeValue(shape), "dtype": {X: string(d)}, "sample": sample}
	if n > 0 {
		tells["n"] = value.Value{X: n}
	} else {
		tells["low"], tells["high"] = e.lib.Array(shape, d), e.lib.Array(shape, d)
	}
	return value.Value{X: &objects.Fields{Base: "a space", Values: tells}}
}
