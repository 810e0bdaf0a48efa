# What is made for the trial's own model, for many calls, or once.
import optuna
import tensorflow as tf
from flask import Flask

app = Flask(__name__)
model = tf.keras.models.load_model("model.keras")
forward = tf.function(model)


@app.route("/score")
def score():
    return str(forward(tf.zeros((1, 4))))


def objective(trial):
    net = tf.keras.Sequential([tf.keras.layers.Dense(trial.suggest_int("units", 8, 64)), tf.keras.layers.Dense(1)])

    @tf.function
    def step(x):
        return tf.reduce_mean(net(x))

    return float(step(tf.zeros((8, 4))))


def rated(trial):
    @tf.function
    def scale(x):
        return tf.reduce_sum(x)

    total = 0.0
    for x in batches:
        total += float(scale(x))
    return total


study = optuna.create_study()
study.optimize(objective, n_trials=100)
study.optimize(rated, n_trials=100)


def few(trial):
    return float(tf.function(tf.reduce_sum)(tf.zeros((4,))))


study.optimize(few, n_trials=3)


class Watch(tf.keras.callbacks.Callback):
    def on_train_begin(self, logs=None):
        once = tf.function(tf.reduce_sum)
        print(once(tf.zeros((8, 4))))
