# Whoever runs the trials, and whatever collects after them.
import gc

import optuna
import tensorflow as tf


def clears(trial):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])  # want "^hint: Every trial trains another model whose variables stay\."
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


def collected(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])  # want "^hint: Every trial trains another model whose variables stay\."
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


def by_callback(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])  # want "^hint: Every trial trains another model whose variables stay\."
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


study = optuna.create_study()
study.optimize(clears, n_trials=300)
study.optimize(collected, n_trials=300, gc_after_trial=True)
study.optimize(by_callback, n_trials=300, callbacks=[lambda study, trial: gc.collect()])
