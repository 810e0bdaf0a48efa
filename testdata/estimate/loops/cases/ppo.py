"""PPO: several epochs over one rollout, an actor and a critic with an optimizer each."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

OBSERVATION, ACTIONS, STEPS, EPOCHS, CLIP = 32, 4, 2048, 10, 0.2


def mlp(x, sizes, activation=tf.tanh, output_activation=None):
    for size in sizes[:-1]:
        x = layers.Dense(units=size, activation=activation)(x)
    return layers.Dense(units=sizes[-1], activation=output_activation)(x)


def logprobabilities(logits, a):
    all_of_them = tf.nn.log_softmax(logits)
    return tf.reduce_sum(tf.one_hot(a, ACTIONS) * all_of_them, axis=1)


@tf.function
def train(observations, actions, logprobability, advantages, returns):
    with tf.GradientTape() as tape:
        ratio = tf.exp(logprobabilities(actor(observations), actions) - logprobability)
        least = tf.where(advantages > 0, (1 + CLIP) * advantages, (1 - CLIP) * advantages)
        policy_loss = -tf.reduce_mean(tf.minimum(ratio * advantages, least))
    grads = tape.gradient(policy_loss, actor.trainable_variables)
    policy_optimizer.apply_gradients(zip(grads, actor.trainable_variables))
    with tf.GradientTape() as tape:
        value_loss = tf.reduce_mean((returns - critic(observations)) ** 2)
    grads = tape.gradient(value_loss, critic.trainable_variables)
    value_optimizer.apply_gradients(zip(grads, critic.trainable_variables))
    kl = tf.reduce_mean(logprobability - logprobabilities(actor(observations), actions))
    return tf.reduce_sum(kl)


observed = keras.Input(shape=(OBSERVATION,), dtype="float32")
actor = keras.Model(inputs=observed, outputs=mlp(observed, [256, 256, ACTIONS]))
critic = keras.Model(inputs=observed, outputs=mlp(observed, [256, 256, 1]))
policy_optimizer = keras.optimizers.Adam(3e-4)
value_optimizer = keras.optimizers.Adam(1e-3)

observations = np.zeros((STEPS, OBSERVATION), "float32")
actions = np.zeros(STEPS, "int32")
advantages = np.zeros(STEPS, "float32")
returns = np.zeros((STEPS, 1), "float32")
logprobability = np.zeros(STEPS, "float32")
buffer = [tf.convert_to_tensor(a) for a in (observations, actions, logprobability, advantages, returns)]
for _ in range(EPOCHS):
    kl = train(*buffer)
    if kl > 0.015:
        break
