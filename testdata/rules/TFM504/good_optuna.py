# Trials that free their models and train them eagerly, of which nothing stays; or two of them.
import gc

import optuna
import tensorflow as tf


def clears(trial):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])
    net.compile("adam", "mse", run_eagerly=True)
    return net.fit(x, y).history["loss"][-1]


def collected(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])
    net.compile("adam", "mse", run_eagerly=True)
    return net.fit(x, y).history["loss"][-1]


def by_callback(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])
    net.compile("adam", "mse", run_eagerly=True)
    return net.fit(x, y).history["loss"][-1]


def twice(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])
    net.compile("adam", "mse")
    return net.fit(x, y).history["loss"][-1]


study = optuna.create_study()
study.optimize(clears, n_trials=300)
study.optimize(collected, n_trials=300, gc_after_trial=True)
study.optimize(by_callback, n_trials=300, callbacks=[lambda study, trial: gc.collect()])
study.optimize(twice, n_trials=2)
