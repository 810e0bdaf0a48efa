import gym
import tensorflow as tf


def network(shape, actions):
    return tf.keras.Sequential([tf.keras.layers.Input(shape), tf.keras.layers.Dense(actions)])  # want "nearly all"


config = {"batch_size": 10000, "epsilon": 0.65}
policy_model = network((4,), 2)
print(policy_model.count_params())
