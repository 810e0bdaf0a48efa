# keras: 2.13
# A class that others use keeps the optimizer that scales.
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


class Trainer:
    def configure(self):
        self.optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.Adam())

    def losses(self, x, y):
        return self.optimizer.get_scaled_loss(loss_fn(y, model(x)))

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.losses(x, y)
        grads = self.optimizer.get_unscaled_gradients(tape.gradient(loss, model.trainable_variables))
        self.optimizer.apply_gradients(zip(grads, model.trainable_variables))
