"""DLRM on Criteo-like data: bottom MLP, 26 embedding tables, dot interactions, top MLP."""
import argparse
import numpy as np
import tensorflow as tf
from tensorflow import keras

NUM_DENSE = 13
VOCAB_SIZES = [1460, 583, 100000, 50000, 305, 24, 12517, 633, 3, 20000, 5683, 80000, 3194, 27, 14992,
               54000, 10, 5652, 2173, 4, 70000, 18, 15, 28000, 105, 14200]


class DotInteraction(keras.layers.Layer):
    def __init__(self, self_interaction=False, **kwargs):
        super().__init__(**kwargs)
        self.self_interaction = self_interaction

    def call(self, features):
        x = tf.stack(features, axis=1)
        xact = tf.matmul(x, x, transpose_b=True)
        n = len(features)
        idx = [i * n + j for i in range(n) for j in range(i + 1 if self.self_interaction else i)]
        flat = tf.reshape(xact, [-1, n * n])
        return tf.gather(flat, idx, axis=1)


def mlp(sizes, final_activation=None, name=None):
    layers = [keras.layers.Dense(s, activation="relu") for s in sizes[:-1]]
    layers.append(keras.layers.Dense(sizes[-1], activation=final_activation))
    return keras.Sequential(layers, name=name)


class DLRM(keras.Model):
    def __init__(self, vocab_sizes, dim, bottom, top):
        super().__init__()
        self.embeddings = [keras.layers.Embedding(v, dim, name=f"cat_{i}") for i, v in enumerate(vocab_sizes)]
        self.bottom = mlp(bottom + [dim], "relu", "bottom")
        self.interaction = DotInteraction()
        self.top = mlp(top + [1], "sigmoid", "top")

    def call(self, inputs):
        dense, cats = inputs["dense"], inputs["categorical"]
        x = self.bottom(dense)
        features = [x]
        for i, emb in enumerate(self.embeddings):
            features.append(emb(cats[:, i]))
        z = self.interaction(features)
        return self.top(tf.concat([x, z], axis=1))


def make_dataset(n, batch_size):
    rng = np.random.default_rng(0)
    dense = np.log1p(rng.random((n, NUM_DENSE), dtype=np.float32) * 100)
    cats = np.stack([rng.integers(0, v, n) for v in VOCAB_SIZES], axis=1).astype("int32")
    y = rng.integers(0, 2, (n, 1)).astype("float32")
    ds = tf.data.Dataset.from_tensor_slices(({"dense": dense, "categorical": cats}, y))
    return ds.shuffle(1024).batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--dim", type=int, default=16)
    p.add_argument("--batch-size", type=int, default=2048)
    p.add_argument("--lr", type=float, default=1e-3)
    args = p.parse_args()
    model = DLRM(VOCAB_SIZES, args.dim, [512, 256], [512, 256])
    model.compile(optimizer=keras.optimizers.Adagrad(args.lr), loss="binary_crossentropy", metrics=["AUC"])
    model.fit(make_dataset(8192, args.batch_size), epochs=1)
