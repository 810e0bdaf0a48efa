import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LOOKBACK, HORIZON = 336, 48


class NBeatsBlock(layers.Layer):
    def __init__(self, units, theta_dim, n_layers=4, basis="generic", **kw):
        super().__init__(**kw)
        self.basis = basis
        self.fcs = [layers.Dense(units, activation="relu") for _ in range(n_layers)]
        self.theta = layers.Dense(theta_dim, activation="linear")
        if basis == "trend":
            p = theta_dim // 2
            tb = np.stack([(np.arange(LOOKBACK) / LOOKBACK) ** i for i in range(p)])
            tf_ = np.stack([(np.arange(HORIZON) / HORIZON) ** i for i in range(p)])
            self.back_basis = tf.constant(tb, dtype=tf.float32)
            self.fore_basis = tf.constant(tf_, dtype=tf.float32)

    def call(self, x):
        for fc in self.fcs:
            x = fc(x)
        theta = self.theta(x)
        if self.basis == "trend":
            tb, tf_ = tf.split(theta, 2, axis=-1)
            return tb @ self.back_basis, tf_ @ self.fore_basis
        return theta[:, :LOOKBACK], theta[:, -HORIZON:]


def nbeats(stacks=("trend", "generic", "generic"), blocks=3, units=512):
    inputs = layers.Input(shape=(LOOKBACK,), name="history")
    residual, forecast = inputs, None
    for s, kind in enumerate(stacks):
        for b in range(blocks):
            dim = 8 if kind == "trend" else LOOKBACK + HORIZON
            back, fore = NBeatsBlock(units, dim, basis=kind, name=f"{kind}_{s}_{b}")(residual)
            residual = layers.subtract([residual, back])
            forecast = fore if forecast is None else layers.add([forecast, fore])
    return keras.Model(inputs, forecast, name="nbeats")


def smape(y_true, y_pred):
    return 200.0 * tf.reduce_mean(tf.abs(y_true - y_pred) / (tf.abs(y_true) + tf.abs(y_pred) + 1e-8))


X = np.random.rand(8192, LOOKBACK).astype(np.float32)
Y = np.random.rand(8192, HORIZON).astype(np.float32)
ds = tf.data.Dataset.zip((tf.data.Dataset.from_tensor_slices(X), tf.data.Dataset.from_tensor_slices(Y))).batch(1024).prefetch(tf.data.AUTOTUNE)
model = nbeats()
model.compile(loss="mae", optimizer=tf.keras.optimizers.Adam(), metrics=["mae", "mse", smape])
model.fit(ds, epochs=1, verbose=0)
