# A burst of training steps now and then, each of which predicts.
import random

import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
memory = []
optimizer = tf.keras.optimizers.Adam()


def learn():
    batch = random.sample(memory, 32)
    states = np.array([step[0] for step in batch])
    values = model.predict_on_batch(np.array([step[1] for step in batch]))  # want "one mini-batch in every iteration of a training loop"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(states) - values) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for step in range(100000):
    memory.append(play())
    if step % 32 == 0:
        for _ in range(32):
            learn()
