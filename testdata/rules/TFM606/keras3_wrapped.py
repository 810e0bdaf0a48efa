# keras: 3.8
import keras
import tensorflow as tf

keras.config.set_dtype_policy("mixed_float16")
optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.Adam())


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply(grads, model.trainable_variables)  # want "LossScaleOptimizer divides these gradients by its scale, 32768 at first, and the loss was not scaled: the updates are that much too small\."
