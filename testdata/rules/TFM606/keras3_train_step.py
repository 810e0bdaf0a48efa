# keras: 3.8
import keras
import tensorflow as tf

keras.mixed_precision.set_global_policy("mixed_float16")


class Model(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))  # want "The loss is not scaled, but its gradients are divided by the scale\. The policy mixed_float16 is set on line 5\. The LossScaleOptimizer that compile creates divides them by 32768 at first, so the updates are that much too small\. Compute the gradients of optimizer\.scale_loss\(loss\)\.$"
        return {"loss": loss}
