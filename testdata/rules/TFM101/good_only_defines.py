"""What training.py loads by importlib.import_module(f"configs.{name}")."""

import gym
import numpy as np
import tensorflow as tf


def network(shape, actions):
    return tf.keras.Sequential([tf.keras.layers.Input(shape), tf.keras.layers.Dense(actions)])


class Wrapped(gym.Wrapper):
    pass


gym.envs.register(id="Mine-v0", entry_point="mine:Env", max_episode_steps=1600)
config = {"batch_size": 10000, "epsilon": 0.65}
env = Wrapped(gym.make("Mine-v0"))
env.max_episode_steps = 1600
policy_model = network((4,), 2)
value_model = network((4,), 1)
