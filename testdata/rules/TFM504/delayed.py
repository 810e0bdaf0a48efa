# Tasks that joblib or Dask calls in this process.
import dask
import numpy as np
import tensorflow as tf

x, y = np.ones((1000, 512)), np.ones(1000)


def score(units):
    model = tf.keras.Sequential([tf.keras.Input((512,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(4096), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    model.fit(x, y)
    return model.evaluate(x, y)


scores = dask.compute(*[dask.delayed(score)(2048 + i) for i in range(50)], scheduler="synchronous")  # want "warning: Every iteration of the loop on line 16 builds another model, and none is freed"
