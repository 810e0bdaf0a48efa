import numpy as np
import tensorflow as tf
import keras
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
V, L, D, H = 6000, 128, 192, 6

class Block(layers.Layer):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.ln1 = layers.LayerNormalization(epsilon=1e-5)
        self.ln2 = layers.LayerNormalization(epsilon=1e-5)
        self.att = layers.MultiHeadAttention(H, D // H, dropout=0.1)
        self.ff = keras.Sequential([layers.Dense(4 * D, activation="gelu"), layers.Dense(D), layers.Dropout(0.1)])

    def call(self, x, training=None):
        h = self.ln1(x)
        x = x + self.att(h, h, use_causal_mask=True, training=training)
        return x + self.ff(self.ln2(x), training=training)

class Embed(layers.Layer):
    def __init__(self, **kw):
        super().__init__(**kw)
        self.tok = layers.Embedding(V, D)
        self.pos = layers.Embedding(L, D)

    def call(self, ids):
        return self.tok(ids) + self.pos(tf.range(L))

ids = keras.Input((L,), dtype="int32")
x = Embed()(ids)
for _ in range(3):
    x = Block()(x)
x = layers.LayerNormalization()(x)
logits = layers.Dense(V, dtype="float32")(x)
m = keras.Model(ids, logits)
m.compile(keras.optimizers.Adam(3e-4), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
tok = np.random.randint(0, V, (32, L + 1)).astype("int32")
m.fit(tok[:, :-1], tok[:, 1:], batch_size=16)
