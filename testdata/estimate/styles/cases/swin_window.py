"""Swin-like transformer: shifted window attention with a relative position bias."""
import numpy as np
import keras
from keras import layers, ops


def window_partition(x, ws):
    _, h, w, c = x.shape
    x = ops.reshape(x, (-1, h // ws, ws, w // ws, ws, c))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    return ops.reshape(x, (-1, ws * ws, c))


def window_reverse(windows, ws, h, w, c):
    x = ops.reshape(windows, (-1, h // ws, w // ws, ws, ws, c))
    x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
    return ops.reshape(x, (-1, h, w, c))


class WindowAttention(layers.Layer):
    def __init__(self, dim, window_size, num_heads, dropout=0.0, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim
        self.ws = window_size
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = layers.Dense(dim * 3)
        self.proj = layers.Dense(dim)
        self.drop = layers.Dropout(dropout)

    def build(self, input_shape):
        n = (2 * self.ws - 1) ** 2
        self.table = self.add_weight(shape=(n, self.num_heads), initializer="zeros", name="relative_bias")
        coords = np.stack(np.meshgrid(np.arange(self.ws), np.arange(self.ws), indexing="ij"))
        flat = coords.reshape(2, -1)
        rel = flat[:, :, None] - flat[:, None, :]
        rel = rel.transpose(1, 2, 0)
        rel[..., 0] += self.ws - 1
        rel[..., 1] += self.ws - 1
        rel[..., 0] *= 2 * self.ws - 1
        self.index = rel.sum(-1).reshape(-1)
        self.qkv.build(input_shape)
        self.proj.build(input_shape)
        super().build(input_shape)

    def call(self, x, training=None):
        _, n, c = x.shape
        hd = c // self.num_heads
        qkv = ops.reshape(self.qkv(x), (-1, n, 3, self.num_heads, hd))
        qkv = ops.transpose(qkv, (2, 0, 3, 1, 4))
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = ops.matmul(q * self.scale, ops.transpose(k, (0, 1, 3, 2)))
        bias = ops.take(self.table, self.index, axis=0)
        bias = ops.transpose(ops.reshape(bias, (n, n, self.num_heads)), (2, 0, 1))
        attn = attn + ops.expand_dims(bias, 0)
        attn = ops.softmax(attn, axis=-1)
        attn = self.drop(attn, training=training)
        out = ops.transpose(ops.matmul(attn, v), (0, 2, 1, 3))
        return self.proj(ops.reshape(out, (-1, n, c)))


class SwinBlock(layers.Layer):
    def __init__(self, dim, heads, ws, shift, mlp_dim, **kwargs):
        super().__init__(**kwargs)
        self.ws, self.shift, self.dim = ws, shift, dim
        self.norm1 = layers.LayerNormalization(epsilon=1e-5)
        self.attn = WindowAttention(dim, ws, heads, dropout=0.05)
        self.norm2 = layers.LayerNormalization(epsilon=1e-5)
        self.mlp = keras.Sequential([
            layers.Dense(mlp_dim, activation="gelu"),
            layers.Dropout(0.05),
            layers.Dense(dim),
        ])

    def call(self, x, training=None):
        _, h, w, c = x.shape
        short = x
        x = self.norm1(x)
        if self.shift > 0:
            x = ops.roll(x, (-self.shift, -self.shift), axis=(1, 2))
        win = window_partition(x, self.ws)
        win = self.attn(win, training=training)
        x = window_reverse(win, self.ws, h, w, c)
        if self.shift > 0:
            x = ops.roll(x, (self.shift, self.shift), axis=(1, 2))
        x = short + x
        return x + self.mlp(self.norm2(x), training=training)


class PatchMerging(layers.Layer):
    def __init__(self, dim, **kwargs):
        super().__init__(**kwargs)
        self.reduce = layers.Dense(2 * dim, use_bias=False)

    def call(self, x):
        x = ops.concatenate([x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]], axis=-1)
        return self.reduce(x)


inputs = keras.Input((64, 64, 3))
x = layers.Rescaling(1 / 255.0)(inputs)
x = layers.Conv2D(48, 2, strides=2)(x)
for stage, (dim, heads) in enumerate([(48, 3), (96, 6)]):
    for i in range(2):
        x = SwinBlock(dim, heads, 8, 0 if i % 2 == 0 else 4, dim * 4)(x)
    if stage == 0:
        x = PatchMerging(dim)(x)
x = layers.LayerNormalization()(x)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(20, activation="softmax")(x)
model = keras.Model(inputs, outputs)
model.compile(
    loss=keras.losses.CategoricalCrossentropy(label_smoothing=0.1),
    optimizer=keras.optimizers.AdamW(learning_rate=1e-3, weight_decay=1e-4),
    metrics=["accuracy"],
)
images = np.random.randint(0, 256, size=(64, 64, 64, 3)).astype("float32")
labels = keras.utils.to_categorical(np.random.randint(0, 20, size=(64,)), 20)
model.fit(images, labels, batch_size=16, epochs=1, validation_split=0.0)
