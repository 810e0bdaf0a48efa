import numpy as np
import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv, self.out = tf.keras.layers.Dense(3 * width), tf.keras.layers.Dense(width)
        self.up, self.down = tf.keras.layers.Dense(4 * width), tf.keras.layers.Dense(width)
        self.norm = [tf.keras.layers.LayerNormalization() for _ in range(2)]

    def call(self, x):
        b, t, w = x.shape[0] or tf.shape(x)[0], x.shape[1], x.shape[2]
        h = tf.reshape(self.qkv(self.norm[0](x)), [b, t, 3, self.heads, w // self.heads])
        q, k, v = tf.unstack(tf.transpose(h, [2, 0, 3, 1, 4]))
        scores = tf.raw_ops.BatchMatMulV2(x=q, y=k, adj_y=True) / 8.0
        mixed = tf.raw_ops.BatchMatMulV2(x=tf.raw_ops.Softmax(logits=scores), y=v)
        x = x + self.out(tf.reshape(tf.transpose(mixed, [0, 2, 1, 3]), [b, t, w]))
        return x + self.down(tf.nn.gelu(self.up(self.norm[1](x))))


class Encoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.words = tf.keras.layers.Embedding(5000, 256)
        self.blocks = [Block(256, 4) for _ in range(3)]
        self.head = tf.keras.layers.Dense(5)

    def call(self, x):
        x = self.words(x)
        for block in self.blocks:
            x = block(x)
        return self.head(tf.reduce_mean(x, 1))


model = Encoder()
model.compile(optimizer="adam", loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.random.randint(0, 5000, (64, 128)), np.random.randint(0, 5, 64), batch_size=32, epochs=1)
