# Whoever goes through the items: map, a comprehension, a pool of threads, a callback.
from concurrent.futures import ThreadPoolExecutor

import tensorflow as tf
import gc


def train(units):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # want "warning: Every item builds another model"
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


losses = list(map(train, sizes))


def fit(units):
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


best = min(fit(units) for units in range(64, 4096, 64))  # want "warning: Every iteration of the loop on line 22 builds another model"
all_of_them = [fit(units) for units in sizes]  # want "warning: Every iteration of the loop on line 23 builds another model"


def pooled(units):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # want "warning: Every item builds another model"
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


with ThreadPoolExecutor(1) as pool:
    losses = list(pool.map(pooled, sizes))


class Compare(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        other = tf.keras.models.load_model("best.keras")  # want "information: Every epoch loads another model"
        print(other.predict(x_val), self.model.predict(x_val))
