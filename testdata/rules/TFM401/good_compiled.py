import tensorflow as tf


@tf.function
def train(batches):
    for x in batches:
        with tf.GradientTape(persistent=True) as tape:
            y = model(x)
        g = tape.gradient(y, model.trainable_variables)
        optimizer.apply_gradients(zip(g, model.trainable_variables))
