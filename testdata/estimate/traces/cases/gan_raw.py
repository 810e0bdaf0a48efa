import numpy as np
import tensorflow as tf


class GAN(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.make = [tf.keras.layers.Dense(7 * 7 * 64), tf.keras.layers.Conv2DTranspose(32, 4, 2, "same"), tf.keras.layers.Conv2DTranspose(1, 4, 2, "same")]
        self.judge = [tf.keras.layers.Conv2D(32, 4, 2, "same"), tf.keras.layers.Conv2D(64, 4, 2, "same"), tf.keras.layers.Dense(1)]

    def generate(self, z):
        x = tf.reshape(tf.raw_ops.Relu(features=self.make[0](z)), [-1, 7, 7, 64])
        x = tf.raw_ops.Relu(features=self.make[1](x))
        return tf.raw_ops.Tanh(x=self.make[2](x))

    def discriminate(self, x):
        for layer in self.judge[:2]:
            x = tf.raw_ops.LeakyRelu(features=layer(x), alpha=0.2)
        return self.judge[2](tf.reshape(x, [x.shape[0] or tf.shape(x)[0], 7 * 7 * 64]))

    def call(self, x):
        return self.discriminate(x)

    def compile(self, g, d):
        super().compile(optimizer=g)
        self.d_optimizer = d

    def train_step(self, real):
        z = tf.random.normal([tf.shape(real)[0], 100])
        cross = tf.nn.sigmoid_cross_entropy_with_logits
        with tf.GradientTape(persistent=True) as tape:
            fake = self.generate(z)
            on_real, on_fake = self.discriminate(real), self.discriminate(fake)
            d_loss = tf.reduce_mean(cross(tf.ones_like(on_real), on_real)) + tf.reduce_mean(cross(tf.zeros_like(on_fake), on_fake))
            g_loss = tf.reduce_mean(cross(tf.ones_like(on_fake), on_fake))
        d_vars = [v for layer in self.judge for v in layer.trainable_variables]
        g_vars = [v for layer in self.make for v in layer.trainable_variables]
        self.d_optimizer.apply_gradients(zip(tape.gradient(d_loss, d_vars), d_vars))
        self.optimizer.apply_gradients(zip(tape.gradient(g_loss, g_vars), g_vars))
        return {"d": d_loss, "g": g_loss}


model = GAN()
model.generate(tf.zeros([1, 100])), model.discriminate(tf.zeros([1, 28, 28, 1]))
model.built = True
model.compile(tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4))
model.fit(tf.data.Dataset.from_tensor_slices(np.zeros((512, 28, 28, 1), "float32")).batch(128), epochs=1)
