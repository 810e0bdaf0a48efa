import numpy as np
import keras
from keras import layers, ops

FIELDS = [3000] * 6 + [200] * 12 + [20] * 8
K = 24


class FM(layers.Layer):
    """Second order interactions: half of (sum squared - squares' sum)."""

    def call(self, x):
        square_of_sum = ops.square(ops.sum(x, axis=1))
        sum_of_square = ops.sum(ops.square(x), axis=1)
        return 0.5 * ops.sum(square_of_sum - sum_of_square, axis=1, keepdims=True)


class DeepFM(keras.Model):
    def __init__(self, fields, k, hidden=(400, 400, 400), dropout=0.2):
        super().__init__()
        self.offsets = np.cumsum([0] + fields[:-1]).astype("int32")
        self.embed = layers.Embedding(sum(fields), k)
        self.linear = layers.Embedding(sum(fields), 1)
        self.fm = FM()
        self.mlp = []
        for h in hidden:
            self.mlp += [layers.Dense(h), layers.BatchNormalization(), layers.Activation("relu"), layers.Dropout(dropout)]
        self.out = layers.Dense(1)

    def call(self, x, training=False):
        x = x + self.offsets
        e = self.embed(x)
        first = ops.sum(self.linear(x), axis=1)
        h = ops.reshape(e, (-1, len(FIELDS) * K))
        for layer in self.mlp:
            if isinstance(layer, (layers.Dropout, layers.BatchNormalization)):
                h = layer(h, training=training)
            else:
                h = layer(h)
        return ops.sigmoid(first + self.fm(e) + self.out(h))


model = DeepFM(FIELDS, K)
model.compile(optimizer=keras.optimizers.AdamW(1e-3), loss="binary_crossentropy", metrics=["AUC"], run_eagerly=True)
N = 8192
X = np.stack([np.random.randint(0, f, N) for f in FIELDS], axis=1).astype("int32")
y = np.random.randint(0, 2, (N, 1)).astype("float32")
model.fit(X, y, batch_size=2048, epochs=1)
