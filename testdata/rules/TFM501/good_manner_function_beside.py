"""A compiled function beside a step that runs once."""
import tensorflow as tf


@tf.function
def computation(x):
    return tf.square(x)


y = computation(data)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(model(data) - y)
optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
