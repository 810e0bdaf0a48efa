import tensorflow as tf

tf.config.run_functions_eagerly(True)
losses = []


@tf.function
def step(x):
    losses.append(tf.square(x))


step(1)
