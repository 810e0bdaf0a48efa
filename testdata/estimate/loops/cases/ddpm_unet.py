"""Small denoising diffusion model, noise prediction with a U-Net and time embeddings."""
import math

import numpy as np
import tensorflow as tf
import keras
from keras import layers

IMG_SIZE = 32
BASE = 32
MULT = (1, 2, 4)
TIMESTEPS = 200


class TimeEmbedding(layers.Layer):
    def __init__(self, dim, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim
        self.half = dim // 2
        self.emb = math.log(10000) / (self.half - 1)

    def call(self, t):
        t = tf.cast(t, tf.float32)
        freq = tf.exp(tf.range(self.half, dtype=tf.float32) * -self.emb)
        args = t[:, None] * freq[None, :]
        return tf.concat([tf.sin(args), tf.cos(args)], axis=-1)


class AttentionBlock(layers.Layer):
    def __init__(self, units, groups=8, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.norm = layers.GroupNormalization(groups=groups)
        self.query = layers.Dense(units)
        self.key = layers.Dense(units)
        self.value = layers.Dense(units)
        self.proj = layers.Dense(units)

    def call(self, inputs):
        b = tf.shape(inputs)[0]
        h, w = inputs.shape[1], inputs.shape[2]
        scale = self.units ** -0.5
        x = self.norm(inputs)
        q, k, v = self.query(x), self.key(x), self.value(x)
        s = tf.einsum("bhwc,bHWc->bhwHW", q, k) * scale
        s = tf.reshape(s, [b, h, w, h * w])
        s = tf.nn.softmax(s, -1)
        s = tf.reshape(s, [b, h, w, h, w])
        o = tf.einsum("bhwHW,bHWc->bhwc", s, v)
        return inputs + self.proj(o)


def res_block(width, groups=8):
    def apply(inputs):
        x, t = inputs
        if x.shape[-1] == width:
            residual = x
        else:
            residual = layers.Conv2D(width, 1)(x)
        temb = keras.activations.swish(t)
        temb = layers.Dense(width)(temb)[:, None, None, :]
        x = layers.GroupNormalization(groups=groups)(x)
        x = keras.activations.swish(x)
        x = layers.Conv2D(width, 3, padding="same")(x)
        x = layers.Add()([x, temb])
        x = layers.GroupNormalization(groups=groups)(x)
        x = keras.activations.swish(x)
        x = layers.Conv2D(width, 3, padding="same", kernel_initializer="zeros")(x)
        return layers.Add()([x, residual])

    return apply


def build_unet():
    image = layers.Input((IMG_SIZE, IMG_SIZE, 3))
    time = layers.Input((), dtype="int32")
    x = layers.Conv2D(BASE, 3, padding="same")(image)
    temb = TimeEmbedding(BASE * 4)(time)
    temb = layers.Dense(BASE * 4, activation="swish")(temb)
    temb = layers.Dense(BASE * 4)(temb)
    skips = [x]
    for i, m in enumerate(MULT):
        for _ in range(2):
            x = res_block(BASE * m)([x, temb])
            if i == 2:
                x = AttentionBlock(BASE * m)(x)
            skips.append(x)
        if i != len(MULT) - 1:
            x = layers.Conv2D(BASE * m, 3, strides=2, padding="same")(x)
            skips.append(x)
    x = res_block(BASE * MULT[-1])([x, temb])
    x = AttentionBlock(BASE * MULT[-1])(x)
    x = res_block(BASE * MULT[-1])([x, temb])
    for i in reversed(range(len(MULT))):
        for _ in range(3):
            x = layers.Concatenate(axis=-1)([x, skips.pop()])
            x = res_block(BASE * MULT[i])([x, temb])
            if i == 2:
                x = AttentionBlock(BASE * MULT[i])(x)
        if i != 0:
            x = layers.UpSampling2D(2, interpolation="nearest")(x)
            x = layers.Conv2D(BASE * MULT[i], 3, padding="same")(x)
    x = layers.GroupNormalization(groups=8)(x)
    x = keras.activations.swish(x)
    x = layers.Conv2D(3, 3, padding="same", kernel_initializer="zeros")(x)
    return keras.Model([image, time], x, name="unet")


class DiffusionModel(keras.Model):
    def __init__(self, network, ema_network, timesteps, ema=0.999):
        super().__init__()
        self.network = network
        self.ema_network = ema_network
        self.timesteps = timesteps
        self.ema = ema
        beta = np.linspace(1e-4, 0.02, timesteps, dtype=np.float32)
        alpha_bar = np.cumprod(1.0 - beta)
        self.sqrt_ab = tf.constant(np.sqrt(alpha_bar), tf.float32)
        self.sqrt_1mab = tf.constant(np.sqrt(1.0 - alpha_bar), tf.float32)

    def train_step(self, images):
        b = tf.shape(images)[0]
        t = tf.random.uniform((b,), 0, self.timesteps, dtype=tf.int32)
        with tf.GradientTape() as tape:
            noise = tf.random.normal(tf.shape(images))
            a = tf.reshape(tf.gather(self.sqrt_ab, t), (b, 1, 1, 1))
            s = tf.reshape(tf.gather(self.sqrt_1mab, t), (b, 1, 1, 1))
            noisy = a * images + s * noise
            pred = self.network([noisy, t], training=True)
            loss = tf.reduce_mean(tf.square(noise - pred))
        grads = tape.gradient(loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.network.trainable_weights))
        for w, e in zip(self.network.weights, self.ema_network.weights):
            e.assign(self.ema * e + (1 - self.ema) * w)
        return {"loss": loss}


network = build_unet()
ema_network = build_unet()
ema_network.set_weights(network.get_weights())
model = DiffusionModel(network, ema_network, TIMESTEPS)
model.compile(optimizer=keras.optimizers.Adam(2e-4))
images = np.random.uniform(-1, 1, (32, IMG_SIZE, IMG_SIZE, 3)).astype("float32")
model.fit(images, batch_size=8, epochs=1)
