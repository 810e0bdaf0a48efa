package arrays_test

import (
	"fmt"
	"testing"
)

// TestWorlds holds the widths of layers that agents take from environments against what
// Gymnasium 1.2 and ale-py 0.12 say of these, and for the second versions of robots Gym 0.21.
func TestWorlds(t *testing.T) {
	for expression, want := range map[string]int64{
		"gym.make('CartPole-v1').observation_space.shape[0]":                                         4,
		"gym.make('CartPole-v1').action_space.n":                                                     2,
		"gym.make('LunarLander-v3').observation_space.shape[0]":                                      8,
		"gym.make('Pendulum-v1').action_space.shape[0]":                                              1,
		"len(gym.make('BipedalWalker-v3').action_space.high)":                                        4,
		"gym.make('CarRacing-v3').observation_space.shape[-1]":                                       3,
		"gym.make('ALE/Breakout-v5').observation_space.shape[0]":                                     210,
		"gym.make('PongNoFrameskip-v4').action_space.n":                                              6,
		"gym.make('SpaceInvadersDeterministic-v4').action_space.n":                                   6,
		"gym.make('MountainCar-v0', render_mode='human').reset()[0].shape[0]":                        2,
		"len(gym.make('Acrobot-v1').step(1)[0])":                                                     6,
		"gym.make('Acrobot-v1').unwrapped.observation_space.sample().shape[0]":                       6,
		"gym.make('Breakout-ram-v4').observation_space.shape[0]":                                     0,
		"gym.make('LunarLander-v3', continuous=True).action_space.shape[0]":                          0,
		"gym.make('FrozenLake-v1', is_slippery=False).observation_space.n":                           16,
		"gym.make('FrozenLake-v1', map_name='8x8').observation_space.n":                              0,
		"gym.make('Taxi-v3').action_space.n":                                                         6,
		"gym.make('HalfCheetah-v4').observation_space.shape[0]":                                      17,
		"gym.make('HalfCheetah-v4').action_space.shape[0]":                                           6,
		"gym.make('Ant-v4').observation_space.shape[0]":                                              27,
		"old.make('Ant-v2').observation_space.shape[0]":                                              111,
		"gym.make('Ant-v4', use_contact_forces=True).observation_space.shape[0]":                     0,
		"gym.make('Ant-v1').observation_space.shape[0]":                                              0,
		"gym.make('Walker2d-v4').reset()[0].shape[0]":                                                17,
		"gym.make('Pong-v4', obs_type='ram').observation_space.shape[0]":                             0,
		"gym.make('Elsewhere-v0').observation_space.shape[0]":                                        0,
		"__import__('gym').make('CartPole-v1').reset()[0].shape[0]":                                  0,
		"old.make('CartPole-v1').reset().shape[0]":                                                   0,
		"old.make('CartPole-v1').observation_space.shape[0]":                                         4,
		"gym.make('CartPole-v1').observation_space.high.shape[0]":                                    4,
		"gym.make('CartPole-v1').action_space.high.shape[0]":                                         0,
		"gym.wrappers.RecordVideo(gym.make('CartPole-v1'), 'film').action_space.n":                   2,
		"old.wrappers.Monitor(gym.make('CartPole-v1'), directory='film').observation_space.shape[0]": 4,
		"old.make('AntBulletEnv-v0').observation_space.shape[0]":                                     28,
		"gym.spaces.Box(0, 255, (84, 84, 4), np.uint8).shape[-1]":                                    4,
		"gym.spaces.Box(low=-np.ones(3), high=np.ones(3)).sample().shape[0]":                         3,
		"gym.spaces.Discrete(7).n":                                                                   7,
		"gym.spaces.MultiDiscrete([3, 4]).shape[0]":                                                  2,
		"gym.spaces.Box(0, 1, open('shape')).shape[0]":                                               0,
		"gym.wrappers.FrameStack(gym.make('CartPole-v1'), 4).observation_space[0]":                   0,
	} {
		widthOf(t, "", expression, want)
	}
}

// TestWorldsThatStep holds what an environment returns, also through wrappers of the program's own:
// a program that unpacks four things was written for Gym before 0.26.
func TestWorldsThatStep(t *testing.T) {
	for expression, want := range map[string]int64{
		"Halves(gym.make('CartPole-v1')).reset()[0].shape[0]":                   2,
		"Halves(old.make('CartPole-v1')).first().shape[0]":                      2,
		"Halves(gym.make('CartPole-v1')).action_space.n":                        2,
		"Passed(gym.make('CartPole-v1')).step(0)[0].shape[0]":                   4,
		"taken(old.make('CartPole-v1'))":                                        4,
		"np.array([float(taken_reward(gym.make('CartPole-v1')))] * 5).shape[0]": 5,
		"old.make('CartPole-v1').reset().shape[0]":                              4,
	} {
		widthOf(t, `
class Halves(gym.ObservationWrapper):
    def __init__(self, env):
        super().__init__(env)
    def observation(self, seen):
        return seen[:2]
    def first(self):
        seen, reward, done, info = self.step(0)
        return seen
class Passed(gym.Wrapper):
    pass
def taken(env):
    seen, reward, done, info = env.step(0)
    return seen.shape[0]
def taken_reward(env):
    return env.step(0)[1]
`, expression, want)
	}
}

// widthOf compares what an expression is with a number, after code that defines what it needs; 0
// stands for what is not known.
func widthOf(t *testing.T, before, expression string, want int64) {
	t.Helper()
	p := follow(fmt.Sprintf(`
import gym as old
import gymnasium as gym
import numpy as np
from tensorflow import keras
%s
n = %s
m = keras.Sequential([keras.Input((1,)), keras.layers.Dense(n, use_bias=False)])
`, before, expression))
	if len(p.Models) != 1 {
		t.Fatalf("%s: %d models", expression, len(p.Models))
	}
	m := p.Models[0]
	got, _ := m.Parameters()
	if known := m.Known() && m.Unbuilt() == nil; known != (want > 0) || known && got != want {
		t.Errorf("%s is %d (known: %v), want %d; %v", expression, got, known, want, m.Unresolved)
	}
}
