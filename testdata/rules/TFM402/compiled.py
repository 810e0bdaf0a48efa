import tensorflow as tf


@tf.function
def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:  # want "where the code is traced into a graph it changes nothing"
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
