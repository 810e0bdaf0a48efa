# Each trial of a study builds a model, in a function that Optuna calls.
import optuna
import tensorflow as tf


def build(width):
    net = tf.keras.Sequential([tf.keras.Input((512,)), tf.keras.layers.Dense(4096), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


def score(trial):
    """The error on the held-out part."""
    net = build(trial.suggest_int("width", 64, 2048))  # want "warning: Every trial builds another model, and none is freed\. .*All 300 of them together take 7\.\d+ GiB at most\.$"
    past = net.fit(x, y, validation_split=0.2)
    return min(past.history["val_loss"])


study = optuna.create_study()
study.optimize(score, n_trials=300)


def named(trial, data):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])  # want "Every trial builds another model"
    net.compile("adam", "mse")
    net.fit(data)
    return net.evaluate(data)


study.optimize(lambda trial: named(trial, data), timeout=3600)


class Objective:
    def __init__(self, data):
        self.data = data

    def __call__(self, trial):
        net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("width", 64, 2048))])  # want "Every trial builds another model"
        net.compile("adam", "mse")
        net.fit(self.data)
        del net
        return 0.0


study.optimize(Objective(data), n_trials=50)
