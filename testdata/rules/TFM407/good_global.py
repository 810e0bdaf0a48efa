"""Asked in a function of its own."""
import tensorflow as tf

with tf.GradientTape() as tape:
    y = model(x)


def gradient():
    return tape.gradient(y, x)


print(gradient())
