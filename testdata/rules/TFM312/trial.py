# Whoever runs the trials; and what is only evaluated stays as well.
import numpy as np
import optuna
import tensorflow as tf


def batches(x, y, size):
    for i in range(0, len(x), size):
        yield x[i : i + size], y[i : i + size]


def objective(trial):
    model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(trial.suggest_int("units", 1, 64))])
    model.compile("adam", "mse")
    x = np.random.rand(10_000, 8)
    y = np.random.rand(10_000, 1)
    model.fit(x, y)
    return model.evaluate(batches(x, y, 100))  # want "Each generator that evaluate\(\) takes in every trial stays"


optuna.create_study().optimize(objective, n_trials=100)
