import tensorflow as tf

tf.config.run_functions_eagerly(True)


@tf.function
def train_step(batch, step):
    return batch


for step in range(100):
    train_step(batch, step)
