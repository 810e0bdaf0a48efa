"""What updates a variable gives the next loss no gradient."""
import tensorflow as tf


class Trainer:
    def step(self, real):
        with tf.GradientTape(persistent=True) as tape:
            fake = self.generator(real)
            d_loss = self.loss(self.discriminator(real), self.discriminator(fake))
            g_loss = self.loss(self.discriminator(fake))
        d_grads = tape.gradient(d_loss, self.discriminator.trainable_variables)  # want "tape.gradient"
        self.d_optimizer.apply_gradients(zip(d_grads, self.discriminator.trainable_variables))
        g_grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(g_grads, self.generator.trainable_variables))
        return d_loss, g_loss
