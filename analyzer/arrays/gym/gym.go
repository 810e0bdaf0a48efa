package gym

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/tensor"
	"github.com/tfmem/tfmem/analyzer/value"
)

// An envSpec is the observation and action space of an environment of Gymnasium, or Gym before
// it: one of some actions, or numbers of a shape.
type envSpec struct {
	shows   tensor.Shape
	dtype   tensor.DType
	actions int64 // 0 if acts gives the space
	acts    tensor.Shape
}

// worlds are the environments of Gymnasium by their names without a version, with their
// observation_space and action_space (gymnasium/envs; ale-py for the Atari games).
var worlds = map[string]envSpec{
	"CartPole":              {tensor.Shape{4}, "float32", 2, nil},
	"MountainCar":           {tensor.Shape{2}, "float32", 3, nil},
	"MountainCarContinuous": {tensor.Shape{2}, "float32", 0, tensor.Shape{1}},
	"Pendulum":              {tensor.Shape{3}, "float32", 0, tensor.Shape{1}},
	"Acrobot":               {tensor.Shape{6}, "float32", 3, nil},
	"LunarLander":           {tensor.Shape{8}, "float32", 4, nil},
	"LunarLanderContinuous": {tensor.Shape{8}, "float32", 0, tensor.Shape{2}},
	"BipedalWalker":         {tensor.Shape{24}, "float32", 0, tensor.Shape{4}},
	"CarRacing":             {tensor.Shape{96, 96, 3}, "uint8", 0, tensor.Shape{3}},
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
	name, _, _ = strings.Cut(name, "-")
	if w, ok := worlds[name]; ok {
		return w, true
	}
	for _, variant := range []string{"NoFrameskip", "Deterministic"} {
		name = strings.TrimSuffix(name, variant)
	}
	n, ok := games[name]
	return envSpec{tensor.Shape{210, 160, 3}, "uint8", n, nil}, ok
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
	if _, discrete := c.Args.Keywords.Get("continuous"); !ok || discrete || strings.Contains(text, "-ram") {
		return value.Value{}
	}
	return value.Value{X: &environment{"an environment", c.Lib, w, strings.HasPrefix(c.Function, "gymnasium.")}}
}

func (e *environment) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "observation_space":
		return e.space(e.shows, e.dtype, 0), true
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
			return value.Value{X: value.Tuple{e.lib.Array(e.shows, e.dtype), {X: &value.Dict{}}}}
		})
	case "step":
		return objects.Method(func(*value.Interp, *value.Args) value.Value {
			if !e.current {
				return objects.Unknown(value.Environment, "what step returns depends on the version of gym")
			}
			happens := objects.Unknown(value.Random, "what happens in an environment")
			return value.Value{X: value.Tuple{e.lib.Array(e.shows, e.dtype), happens, happens, happens, happens}}
		})
	case "close", "render", "seed":
		return objects.Method(objects.Nothing)
	}
	return e.Base.GetAttr(in, name)
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
