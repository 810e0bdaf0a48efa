# keras: 2.13
import tensorflow as tf


class Base:
    def __init__(self):
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
        self.optimizer = tf.keras.optimizers.Adam()


class Trainer(Base):
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, self.model(x))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\."
