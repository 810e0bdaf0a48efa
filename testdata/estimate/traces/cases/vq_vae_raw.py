import numpy as np
import tensorflow as tf


class VQVAE(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.down = [tf.keras.layers.Conv2D(n, 3, 2, "same", activation="relu") for n in (32, 64)]
        self.up = [tf.keras.layers.Conv2DTranspose(n, 3, 2, "same", activation=a) for n, a in ((32, "relu"), (3, None))]
        self.codes = self.add_weight(shape=(64, 256), initializer="random_uniform", name="codes")

    def call(self, x):
        for layer in self.down:
            x = layer(x)
        flat = tf.reshape(x, [-1, 64])
        distances = tf.raw_ops.Sum(input=flat**2, axis=1, keep_dims=True) + tf.reduce_sum(self.codes**2, 0) - 2 * tf.raw_ops.MatMul(a=flat, b=self.codes)
        chosen = tf.gather(tf.transpose(self.codes), tf.raw_ops.ArgMin(input=distances, dimension=1))
        quantized = tf.reshape(chosen, tf.shape(x))
        self.add_loss(tf.reduce_mean((tf.stop_gradient(quantized) - x) ** 2) + tf.reduce_mean((quantized - tf.stop_gradient(x)) ** 2))
        x = x + tf.stop_gradient(quantized - x)
        for layer in self.up:
            x = layer(x)
        return x


model = VQVAE()
model.compile(optimizer="rmsprop", loss="mse")
x = np.random.rand(64, 64, 64, 3).astype("float32")
model.fit(x, x, batch_size=32, epochs=1)
