# A compiled step would keep what the memory holds when it is traced.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()


class Memory:
    def __init__(self):
        self.states = []
        self.rewards = []


def loss_of(memory):
    values = model(tf.convert_to_tensor(np.vstack(memory.states), dtype=tf.float32))
    return tf.reduce_mean((memory.rewards[-1] - values) ** 2)


memory = Memory()
for episode in range(1000):
    memory.states.append(environment.state())
    memory.rewards.append(environment.reward())
    with tf.GradientTape() as tape:
        loss = loss_of(memory)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
for episode in range(1000):
    memory.states.append(environment.state())
    with tf.GradientTape() as tape:
        values = model(tf.convert_to_tensor(memory.states))
        loss = tf.reduce_mean(values ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
