# keras: 3.8
import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = keras.optimizers.Adam()


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
        scaled = optimizer.scale_loss(loss)
    grads = tape.gradient(scaled, model.trainable_variables)
    optimizer.apply(grads, model.trainable_variables)  # want "scale_loss of a plain Adam returns the loss unchanged\."
