import numpy as np
import keras
from keras import layers, ops

IMG, PATCH, DIM, DEC = 64, 8, 192, 96
N = (IMG // PATCH) ** 2
KEEP = N // 4


class Patches(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, x):
        b = ops.shape(x)[0]
        h = x.shape[1] // self.size
        w = x.shape[2] // self.size
        c = x.shape[3]
        x = ops.reshape(x, (b, h, self.size, w, self.size, c))
        x = ops.transpose(x, (0, 1, 3, 2, 4, 5))
        return ops.reshape(x, (b, h * w, self.size * self.size * c))


class RandomMasking(layers.Layer):
    def __init__(self, keep, **kw):
        super().__init__(**kw)
        self.keep = keep
        self.seed = keras.random.SeedGenerator(7)

    def call(self, x):
        b, n = ops.shape(x)[0], x.shape[1]
        noise = keras.random.uniform((b, n), seed=self.seed)
        order = ops.argsort(noise, axis=1)
        restore = ops.argsort(order, axis=1)
        kept = order[:, : self.keep]
        tokens = ops.take_along_axis(x, kept[..., None], axis=1)
        mask = ops.cast(restore >= self.keep, "float32")
        return tokens, restore, mask


def block(x, dim, heads, ratio=4):
    h = layers.LayerNormalization(epsilon=1e-6)(x)
    h = layers.MultiHeadAttention(heads, dim // heads)(h, h)
    x = layers.Add()([x, h])
    h = layers.LayerNormalization(epsilon=1e-6)(x)
    h = layers.Dense(dim * ratio, activation="gelu")(h)
    h = layers.Dense(dim)(h)
    return layers.Add()([x, h])


class Unshuffle(layers.Layer):
    def build(self, shapes):
        dim = shapes[0][-1]
        self.mask_token = self.add_weight(shape=(1, 1, dim), initializer="random_normal", name="mask_token")
        self.pos = self.add_weight(shape=(1, N, dim), initializer="random_normal", name="dec_pos")

    def call(self, inputs):
        tokens, restore = inputs
        b = ops.shape(tokens)[0]
        masks = ops.tile(self.mask_token, (b, N - tokens.shape[1], 1))
        full = ops.concatenate([tokens, masks], axis=1)
        full = ops.take_along_axis(full, restore[..., None], axis=1)
        return full + self.pos


class MAELoss(layers.Layer):
    def call(self, inputs):
        target, pred, mask = inputs
        mu = ops.mean(target, -1, keepdims=True)
        var = ops.var(target, -1, keepdims=True)
        target = (target - mu) / ops.sqrt(var + 1e-6)
        loss = ops.mean(ops.square(pred - target), -1)
        self.add_loss(ops.sum(loss * mask) / ops.sum(mask))
        return pred


inp = keras.Input((IMG, IMG, 3))
target = Patches(PATCH)(inp)
x = layers.Dense(DIM)(target)
x = x + layers.Embedding(N, DIM)(ops.arange(N))
x, restore, mask = RandomMasking(KEEP)(x)
for _ in range(4):
    x = block(x, DIM, 3)
x = layers.LayerNormalization()(x)
x = layers.Dense(DEC)(x)
x = Unshuffle()([x, restore])
for _ in range(2):
    x = block(x, DEC, 3)
pred = layers.Dense(PATCH * PATCH * 3)(x)
out = MAELoss()([target, pred, mask])
mae = keras.Model(inp, out, name="mae")
mae.compile(keras.optimizers.AdamW(1.5e-4, weight_decay=0.05))
images = np.random.rand(256, IMG, IMG, 3).astype("float32")
mae.fit(images, batch_size=64, epochs=1)
