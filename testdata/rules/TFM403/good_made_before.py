"""The tape records nothing of a loss that is computed before its with statement."""
import tensorflow as tf


class Trainer:
    def apply(self, g_loss, d_loss):
        with tf.GradientTape(persistent=True) as tape:
            g_gradients = tape.gradient(g_loss, self.generator.trainable_variables)
            d_gradients = tape.gradient(d_loss, self.discriminator.trainable_variables)
            self.g_optimizer.apply_gradients(zip(g_gradients, self.generator.trainable_variables))
            self.d_optimizer.apply_gradients(zip(d_gradients, self.discriminator.trainable_variables))
            return g_loss.numpy(), d_loss.numpy()

    def minimize(self, x):
        g_loss = self.loss(self.generator(x))
        d_loss = self.loss(self.discriminator(x))
        with tf.GradientTape(persistent=True) as tape:
            self.g_optimizer.minimize(g_loss, self.generator.trainable_variables, tape=tape)
            self.d_optimizer.minimize(d_loss, self.discriminator.trainable_variables, tape=tape)
