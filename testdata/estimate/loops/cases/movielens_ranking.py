"""Subclassed recommender with submodels, compute_loss-free, custom metric; small-company style."""
import logging
from typing import Dict, Sequence, Text, Tuple
import numpy as np
import tensorflow as tf

logging.basicConfig(level=logging.INFO)
log = logging.getLogger(__name__)

NUM_USERS = 6_040
NUM_ITEMS = 3_706
SEQ = 20
EMB = 64


class UserTower(tf.keras.Model):
    def __init__(self, layer_sizes: Sequence[int]):
        super().__init__()
        self.user_embedding = tf.keras.Sequential([
            tf.keras.layers.Embedding(NUM_USERS + 1, EMB),
        ])
        self.item_embedding = tf.keras.layers.Embedding(NUM_ITEMS + 1, EMB, mask_zero=True)
        self.pool = tf.keras.layers.GlobalAveragePooling1D()
        self.dense_layers = tf.keras.Sequential()
        for layer_size in layer_sizes[:-1]:
            self.dense_layers.add(tf.keras.layers.Dense(layer_size, activation="relu"))
        for layer_size in layer_sizes[-1:]:
            self.dense_layers.add(tf.keras.layers.Dense(layer_size))

    def call(self, features):
        hist = self.item_embedding(features["history"])
        return self.dense_layers(tf.concat([
            self.user_embedding(features["user_id"]),
            self.pool(hist),
            tf.expand_dims(features["age"], -1),
        ], axis=1))


class Ranker(tf.keras.Model):
    def __init__(self, layer_sizes, **kwargs):
        super().__init__(**kwargs)
        self.query = UserTower(layer_sizes)
        self.candidate = tf.keras.Sequential([
            tf.keras.layers.Embedding(NUM_ITEMS + 1, EMB),
            tf.keras.layers.Dense(layer_sizes[-1]),
        ])
        self.score = tf.keras.Sequential([
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ])
        self.task = tf.keras.losses.MeanSquaredError()
        self.rmse = tf.keras.metrics.RootMeanSquaredError(name="rmse")

    def call(self, inputs, training=False):
        q = self.query(inputs)
        c = self.candidate(inputs["movie_id"])
        return self.score(tf.concat([q, c, q * c], axis=-1))

    def train_step(self, data: Tuple[Dict[Text, tf.Tensor], tf.Tensor]):
        features, rating = data
        with tf.GradientTape() as tape:
            pred = self(features, training=True)
            loss = self.task(rating[:, None], pred)
            reg = tf.add_n([tf.nn.l2_loss(v) for v in self.score.trainable_variables if "bias" not in v.name])
            total = loss + 1e-5 * reg
        grads = tape.gradient(total, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        self.rmse.update_state(rating[:, None], pred)
        return {"loss": total, "rmse": self.rmse.result()}

    @property
    def metrics(self):
        return [self.rmse]


def load(n=4096):
    r = np.random.default_rng(7)
    x = {
        "user_id": r.integers(1, NUM_USERS, n).astype(np.int32),
        "movie_id": r.integers(1, NUM_ITEMS, n).astype(np.int32),
        "history": r.integers(0, NUM_ITEMS, (n, SEQ)).astype(np.int32),
        "age": r.random(n).astype(np.float32),
    }
    return tf.data.Dataset.from_tensor_slices((x, r.random(n).astype(np.float32) * 5))


def run():
    train = load().shuffle(1000).batch(1024).cache()
    model = Ranker([128, 64])
    model.compile(optimizer=tf.keras.optimizers.Adagrad(0.1), jit_compile=False)
    model.fit(train, epochs=1)
    log.info("done: %d params", model.count_params())


if __name__ == "__main__":
    run()
