import tensorflow as tf


@tf.function
def step(models, optimizers, x):  # want "step runs eagerly in every iteration of the loop on line 14\."
    with tf.GradientTape(persistent=True) as tape:
        losses = [tf.reduce_mean(m(x)) for m in models]
    for loss, model, optimizer in zip(losses, models, optimizers):
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def main(models):
    optimizers = [tf.keras.optimizers.Adam() for _ in models]
    for x in data:
        step(models, optimizers, x)
