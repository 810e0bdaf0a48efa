import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, Model


def window_partition(x, window_size):
    _, height, width, channels = x.shape
    nh, nw = height // window_size, width // window_size
    x = tf.reshape(x, (-1, nh, window_size, nw, window_size, channels))
    x = tf.transpose(x, (0, 1, 3, 2, 4, 5))
    return tf.reshape(x, (-1, window_size, window_size, channels))


def window_reverse(windows, window_size, height, width, channels):
    nh, nw = height // window_size, width // window_size
    x = tf.reshape(windows, (-1, nh, nw, window_size, window_size, channels))
    x = tf.transpose(x, (0, 1, 3, 2, 4, 5))
    return tf.reshape(x, (-1, height, width, channels))


class WindowAttention(layers.Layer):
    def __init__(self, dim, window_size, num_heads, qkv_bias=True, dropout_rate=0.0, **kwargs):
        super().__init__(**kwargs)
        self.dim = dim
        self.window_size = window_size
        self.num_heads = num_heads
        self.scale = (dim // num_heads) ** -0.5
        self.qkv = layers.Dense(dim * 3, use_bias=qkv_bias)
        self.dropout = layers.Dropout(dropout_rate)
        self.proj = layers.Dense(dim)

    def build(self, input_shape):
        w = self.window_size
        self.relative_position_bias_table = self.add_weight(
            shape=((2 * w - 1) ** 2, self.num_heads), initializer="zeros", trainable=True, name="rel_pos")
        coords = np.stack(np.meshgrid(np.arange(w), np.arange(w), indexing="ij")).reshape(2, -1)
        rel = (coords[:, :, None] - coords[:, None, :]).transpose([1, 2, 0])
        rel[:, :, 0] += w - 1
        rel[:, :, 1] += w - 1
        rel[:, :, 0] *= 2 * w - 1
        self.relative_position_index = rel.sum(-1).reshape(-1)
        super().build(input_shape)

    def call(self, x, attention_mask=None):
        _, size, channels = x.shape
        head_dim = channels // self.num_heads
        qkv = self.qkv(x)
        qkv = tf.reshape(qkv, (-1, size, 3, self.num_heads, head_dim))
        qkv = tf.transpose(qkv, (2, 0, 3, 1, 4))
        q, k, v = qkv[0], qkv[1], qkv[2]
        attn = tf.matmul(q * self.scale, tf.transpose(k, (0, 1, 3, 2)))
        n = self.window_size ** 2
        bias = tf.gather(self.relative_position_bias_table, self.relative_position_index)
        bias = tf.transpose(tf.reshape(bias, (n, n, -1)), (2, 0, 1))
        attn = attn + tf.expand_dims(bias, axis=0)
        if attention_mask is not None:
            nw = attention_mask.shape[0]
            attn = tf.reshape(attn, (-1, nw, self.num_heads, size, size)) + attention_mask[None, :, None]
            attn = tf.reshape(attn, (-1, self.num_heads, size, size))
        attn = tf.nn.softmax(attn, axis=-1)
        attn = self.dropout(attn)
        x = tf.transpose(tf.matmul(attn, v), (0, 2, 1, 3))
        return self.proj(tf.reshape(x, (-1, size, channels)))


class SwinBlock(layers.Layer):
    def __init__(self, dim, resolution, num_heads, window_size=7, shift_size=0, num_mlp=1024, **kwargs):
        super().__init__(**kwargs)
        self.dim, self.resolution = dim, resolution
        self.window_size, self.shift_size = window_size, shift_size
        self.norm1 = layers.LayerNormalization(epsilon=1e-5)
        self.attn = WindowAttention(dim, window_size, num_heads)
        self.norm2 = layers.LayerNormalization(epsilon=1e-5)
        self.mlp = tf.keras.Sequential([layers.Dense(num_mlp), layers.Activation("gelu"), layers.Dropout(0.03), layers.Dense(dim)])

    def build(self, input_shape):
        self.attn_mask = None
        if self.shift_size:
            h, w = self.resolution
            mask = np.zeros((1, h, w, 1), "float32")
            slices = (slice(0, -self.window_size), slice(-self.window_size, -self.shift_size), slice(-self.shift_size, None))
            c = 0
            for a in slices:
                for b in slices:
                    mask[:, a, b, :] = c
                    c += 1
            n = h // self.window_size
            windows = mask.reshape(n, self.window_size, n, self.window_size).transpose(0, 2, 1, 3).reshape(-1, self.window_size ** 2)
            diff = windows[:, None, :] - windows[:, :, None]
            self.attn_mask = np.where(diff != 0, -100.0, 0.0).astype("float32")
        super().build(input_shape)

    def call(self, x):
        h, w = self.resolution
        shortcut = x
        x = self.norm1(x)
        x = tf.reshape(x, (-1, h, w, self.dim))
        if self.shift_size > 0:
            x = tf.roll(x, shift=[-self.shift_size, -self.shift_size], axis=[1, 2])
        windows = tf.reshape(window_partition(x, self.window_size), (-1, self.window_size ** 2, self.dim))
        attn = self.attn(windows, attention_mask=self.attn_mask)
        attn = tf.reshape(attn, (-1, self.window_size, self.window_size, self.dim))
        x = window_reverse(attn, self.window_size, h, w, self.dim)
        if self.shift_size > 0:
            x = tf.roll(x, shift=[self.shift_size, self.shift_size], axis=[1, 2])
        x = shortcut + tf.reshape(x, (-1, h * w, self.dim))
        return x + self.mlp(self.norm2(x))


class PatchMerging(layers.Layer):
    def __init__(self, resolution, dim):
        super().__init__()
        self.resolution, self.dim = resolution, dim
        self.reduction = layers.Dense(2 * dim, use_bias=False)
        self.norm = layers.LayerNormalization()

    def call(self, x):
        h, w = self.resolution
        x = tf.reshape(x, (-1, h, w, self.dim))
        x = tf.concat([x[:, 0::2, 0::2, :], x[:, 1::2, 0::2, :], x[:, 0::2, 1::2, :], x[:, 1::2, 1::2, :]], axis=-1)
        x = tf.reshape(x, (-1, (h // 2) * (w // 2), 4 * self.dim))
        return self.reduction(self.norm(x))


img = layers.Input((112, 112, 3))
x = layers.Conv2D(48, 4, 4, name="patch_embed")(img)
x = layers.Reshape((28 * 28, 48))(x)
dim, res = 48, 28
for stage, depth in enumerate([2, 2, 2]):
    for d in range(depth):
        x = SwinBlock(dim, (res, res), num_heads=3 * 2 ** stage, window_size=7, shift_size=0 if d % 2 == 0 or res == 7 else 3,
                      num_mlp=4 * dim)(x)
    if stage < 2:
        x = PatchMerging((res, res), dim)(x)
        dim, res = dim * 2, res // 2
x = layers.GlobalAveragePooling1D()(layers.LayerNormalization()(x))
model = Model(img, layers.Dense(100, activation="softmax")(x))
model.compile(optimizer=tf.keras.optimizers.AdamW(1e-3, weight_decay=0.05), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.random.rand(64, 112, 112, 3).astype("float32"), np.random.randint(0, 100, 64), batch_size=16, epochs=1)
