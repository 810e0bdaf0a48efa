# keras: 2.13
# The gradient of one network goes nowhere; that of the other is taken where it is applied.
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\."


@tf.function
def accumulate(x, y, totals):
    for part in tf.split(x, 4):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(part))
        for total, g in zip(totals, tape.gradient(loss, model.trainable_variables)):
            total.assign_add(g)
    optimizer.apply_gradients(zip(totals, model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\."
