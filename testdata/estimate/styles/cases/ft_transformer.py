"""FT-Transformer for tables."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

N_NUM, CATS = 20, [12, 45, 7, 300, 28, 9]
D_TOKEN, BLOCKS, HEADS = 96, 3, 8
BATCH = 256


class NumericalTokenizer(layers.Layer):
    def __init__(self, d_token, **kw):
        super().__init__(**kw)
        self.d_token = d_token

    def build(self, input_shape):
        n = input_shape[-1]
        self.w = self.add_weight(shape=(n, self.d_token), initializer="random_normal", trainable=True, name="w")
        self.b = self.add_weight(shape=(n, self.d_token), initializer="random_normal", trainable=True, name="b")

    def call(self, x):
        return tf.einsum("bi,id->bid", x, self.w) + self.b


class CategoricalTokenizer(layers.Layer):
    def __init__(self, cards, d_token, **kw):
        super().__init__(**kw)
        self.offsets = tf.constant(np.cumsum([0] + cards[:-1]), tf.int32)
        self.emb = layers.Embedding(sum(cards), d_token)

    def call(self, x):
        return self.emb(x + self.offsets)


class CLSToken(layers.Layer):
    def build(self, shape):
        self.token = self.add_weight(shape=(1, 1, shape[-1]), initializer="random_normal", name="cls")

    def call(self, x):
        token = tf.tile(self.token, [tf.shape(x)[0], 1, 1])
        return tf.concat([token, x], axis=1)


class ReGLU(layers.Layer):
    def call(self, x):
        a, b = tf.split(x, 2, axis=-1)
        return a * tf.nn.relu(b)


def transformer_block(x, idx):
    h = layers.LayerNormalization(name=f"ln_att_{idx}")(x) if idx else x
    h = layers.MultiHeadAttention(HEADS, D_TOKEN // HEADS, dropout=0.2, name=f"mha_{idx}")(h, h)
    x = layers.Add()([x, layers.Dropout(0.1)(h)])
    h = layers.LayerNormalization(name=f"ln_ffn_{idx}")(x)
    h = layers.Dense(int(D_TOKEN * 4 / 3) * 2)(h)
    h = ReGLU()(h)
    h = layers.Dropout(0.1)(h)
    h = layers.Dense(D_TOKEN)(h)
    return layers.Add()([x, h])


num = layers.Input((N_NUM,), name="num")
cat = layers.Input((len(CATS),), dtype="int32", name="cat")
x = layers.Concatenate(axis=1)([NumericalTokenizer(D_TOKEN)(num), CategoricalTokenizer(CATS, D_TOKEN)(cat)])
x = CLSToken()(x)
for i in range(BLOCKS):
    x = transformer_block(x, i)
x = layers.Lambda(lambda t: t[:, 0])(x)
x = layers.LayerNormalization()(x)
x = layers.ReLU()(x)
out = layers.Dense(1)(x)
model = tf.keras.Model({"num": num, "cat": cat}, out)
model.compile(optimizer=tf.keras.optimizers.AdamW(1e-4, weight_decay=1e-5), loss="mse",
              metrics=[tf.keras.metrics.RootMeanSquaredError()], steps_per_execution=4)
N = 4096
model.fit({"num": np.random.randn(N, N_NUM).astype("float32"),
           "cat": np.stack([np.random.randint(0, c, N) for c in CATS], 1)},
          np.random.randn(N, 1).astype("float32"), batch_size=BATCH, epochs=1)
