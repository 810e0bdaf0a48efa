"""Rectified flow with a small DiT."""
import argparse
import math
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

ap = argparse.ArgumentParser()
ap.add_argument("--dim", default=192, type=int)
ap.add_argument("--depth", default=4, type=int)
ap.add_argument("--heads", default=6, type=int)
ap.add_argument("--patch", default=4, type=int)
ap.add_argument("--size", default=32, type=int)
ap.add_argument("--batch", default=32, type=int)
ap.add_argument("--clip", default=1.0, type=float)
args, _ = ap.parse_known_args()


def modulate(x, shift, scale):
    return x * (1 + scale[:, None]) + shift[:, None]


def timestep_embedding(t, dim, max_period=10000):
    half = dim // 2
    freqs = tf.exp(-math.log(max_period) * tf.range(0, half, dtype=tf.float32) / half)
    a = t[:, None] * freqs[None]
    return tf.concat([tf.cos(a), tf.sin(a)], axis=-1)


class DiTBlock(layers.Layer):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1 = layers.LayerNormalization(center=False, scale=False, epsilon=1e-6)
        self.attn = layers.MultiHeadAttention(heads, dim // heads)
        self.n2 = layers.LayerNormalization(center=False, scale=False, epsilon=1e-6)
        self.mlp = tf.keras.Sequential([layers.Dense(dim * 4, activation="gelu"), layers.Dense(dim)])
        self.ada = layers.Dense(6 * dim, kernel_initializer="zeros")

    def call(self, x, c):
        s1, c1, g1, s2, c2, g2 = tf.split(self.ada(tf.nn.silu(c)), 6, axis=-1)
        h = modulate(self.n1(x), s1, c1)
        x = x + g1[:, None] * self.attn(h, h)
        h = modulate(self.n2(x), s2, c2)
        return x + g2[:, None] * self.mlp(h)


class DiT(tf.keras.Model):
    def __init__(self, dim, depth, heads, patch, size, classes=10):
        super().__init__()
        self.patch, self.grid = patch, size // patch
        self.embed = layers.Conv2D(dim, patch, strides=patch)
        self.pos = self.add_weight(shape=(1, self.grid ** 2, dim), initializer="random_normal", name="pos")
        self.t1 = layers.Dense(dim, activation="silu")
        self.t2 = layers.Dense(dim)
        self.label = layers.Embedding(classes + 1, dim)
        self.blocks = [DiTBlock(dim, heads) for _ in range(depth)]
        self.norm = layers.LayerNormalization(center=False, scale=False)
        self.ada = layers.Dense(2 * dim, kernel_initializer="zeros")
        self.head = layers.Dense(patch * patch * 3)
        self.dim = dim

    def call(self, x, t, y):
        h = self.embed(x)
        h = tf.reshape(h, [-1, self.grid ** 2, self.dim]) + self.pos
        c = self.t2(self.t1(timestep_embedding(t * 1000.0, 256))) + self.label(y)
        for block in self.blocks:
            h = block(h, c)
        shift, scale = tf.split(self.ada(c), 2, axis=-1)
        h = self.head(modulate(self.norm(h), shift, scale))
        h = tf.reshape(h, [-1, self.grid, self.grid, self.patch * self.patch * 3])
        return tf.nn.depth_to_space(h, self.patch)


model = DiT(args.dim, args.depth, args.heads, args.patch, args.size)
optimizer = tf.keras.optimizers.AdamW(1e-4, weight_decay=0.0)


@tf.function
def train_step(x1, y):
    b = tf.shape(x1)[0]
    t = tf.random.uniform([b])
    x0 = tf.random.normal(tf.shape(x1))
    tt = t[:, None, None, None]
    xt = (1.0 - tt) * x0 + tt * x1
    with tf.GradientTape() as tape:
        v = model(xt, t, y)
        loss = tf.reduce_mean(tf.square(v - (x1 - x0)))
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, args.clip)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss, norm


x = np.random.randn(320, args.size, args.size, 3).astype("float32")
y = np.random.randint(0, 10, 320)
for xb, yb in tf.data.Dataset.from_tensor_slices((x, y)).shuffle(320).batch(args.batch):
    loss, norm = train_step(xb, yb)
