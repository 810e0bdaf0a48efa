# keras: 2.13
# What scales is never called, or only bears the name.
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = tf.keras.optimizers.Adam()


class Picture:
    def unscale(self, x):
        return x * 255.0


def scale_loss(loss):
    return optimizer.get_scaled_loss(loss)


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\."


for x, y in data:
    step(x, y)
