"""Multi-head attention written by hand: reshape by tf.shape, transpose, matmul, softmax."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class SelfAttention(layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.wq = layers.Dense(width)
        self.wk = layers.Dense(width)
        self.wv = layers.Dense(width)
        self.out = layers.Dense(width)

    def split(self, x, batch):
        x = tf.reshape(x, (batch, -1, self.heads, self.depth))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, x):
        batch = tf.shape(x)[0]
        q, k, v = self.split(self.wq(x), batch), self.split(self.wk(x), batch), self.split(self.wv(x), batch)
        scores = tf.matmul(q, k, transpose_b=True) / tf.math.sqrt(tf.cast(self.depth, tf.float32))
        weights = tf.nn.softmax(scores, axis=-1)
        y = tf.transpose(tf.matmul(weights, v), perm=[0, 2, 1, 3])
        return self.out(tf.reshape(y, (batch, -1, self.heads * self.depth)))


class EncoderLayer(layers.Layer):
    def __init__(self, width, heads, inner, rate=0.1):
        super().__init__()
        self.attention = SelfAttention(width, heads)
        self.feed = keras.Sequential([layers.Dense(inner, activation="relu"), layers.Dense(width)])
        self.norm1 = layers.LayerNormalization(epsilon=1e-6)
        self.norm2 = layers.LayerNormalization(epsilon=1e-6)
        self.drop1, self.drop2 = layers.Dropout(rate), layers.Dropout(rate)

    def call(self, x, training=None):
        x = self.norm1(x + self.drop1(self.attention(x), training=training))
        return self.norm2(x + self.drop2(self.feed(x), training=training))


tokens = keras.Input((48,), dtype="int32")
x = layers.Embedding(1000, 64)(tokens)
for _ in range(2):
    x = EncoderLayer(64, 4, 256)(x)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(tokens, layers.Dense(5)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 48), "int32"), np.zeros((64, 5), "float32"), batch_size=16)
