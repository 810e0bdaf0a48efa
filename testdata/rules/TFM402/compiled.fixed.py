import tensorflow as tf


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape tape, so persistent=True is unnecessary\."
        loss = loss_fn(y, model(x))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
