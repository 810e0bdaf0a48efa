package gym

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/tensor"
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

// bullets are the environments of PyBullet (pybullet_envs/robot_locomotors.py, robot_pendula.py,
// robot_manipulators.py), which its import adds to Gym.
var bullets = map[string]envSpec{
	"AntBulletEnv": bullet(28, 8), "HalfCheetahBulletEnv": bullet(26, 6), "HopperBulletEnv": bullet(15, 3), "HumanoidBulletEnv": bullet(44, 17),
	"Walker2DBulletEnv": bullet(22, 6), "ReacherBulletEnv": bullet(9, 2), "InvertedPendulumBulletEnv": bullet(5, 1), "InvertedDoublePendulumBulletEnv": bullet(9, 1),
	"InvertedPendulumSwingupBulletEnv": bullet(5, 1),
}

func bullet(observations, motors int64) envSpec {
	return envSpec{shows: tensor.Shape{observations}, dtype: "float32", acts: tensor.Shape{motors}}
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
	if w, ok := bullets[name]; ok {
		return w, true
	}
	for _, variant := range []string{"NoFrameskip", "Deterministic"} {
		name = strings.TrimSuffix(name, variant)
	}
	n, ok := games[name]
	return envSpec{tensor.Shape{210, 160, 3}, "uint8", n, nil, 0}, ok
}
