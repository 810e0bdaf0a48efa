# NumPy on what Python knows, and flags, are traced as they are.
import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


def log_likelihood(x):
    return tf.reduce_mean(x) - np.log(2.0 * np.pi)


def step(x, clip=None, training=True):  # want "step runs eagerly"
    with tf.GradientTape() as tape:
        loss = log_likelihood(model(x, training=training)) * np.float32(0.5)
    grads = tape.gradient(loss, model.trainable_variables)
    if clip is not None:
        grads, _ = tf.clip_by_global_norm(grads, clip)
    if training:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


for x in dataset:
    step(x)
