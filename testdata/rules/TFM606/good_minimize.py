# keras: 2.13
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


class Model(tf.keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compiled_loss(y, self(x, training=True))
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        return {"loss": loss}
