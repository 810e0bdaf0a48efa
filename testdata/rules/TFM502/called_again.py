# A library calls the function around: for each epoch, each trial, each request.
import optuna
import tensorflow as tf
from flask import Flask

app = Flask(__name__)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def step(x, rate):
    return tf.reduce_mean(model(x)) * rate


@tf.function
def mapped(x, fn):
    return fn(model(x))


class Schedule(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        step(tf.zeros((8, 4)), epoch)  # want "information: step is retraced for each value of epoch, a Python number\. The value changes in every epoch, and each of its values adds a graph\."

    def on_train_batch_end(self, batch, logs=None):
        step(tf.zeros((8, 4)), batch)  # want "warning: step is retraced for each value of batch, a Python number\. The value changes in every batch, and each"


def objective(trial):
    rate = trial.suggest_float("rate", 1e-5, 1e-1, log=True)
    for x in batches:
        loss = step(x, rate)  # want "information: step is retraced for each value of rate, a Python number\. The value changes in every trial, and each of 100 values adds a graph\."
    return float(loss)


optuna.create_study().optimize(objective, n_trials=100)


@app.route("/score")
def score():
    return str(mapped(tf.zeros((1, 4)), lambda y: y))  # want "warning: mapped is retraced for each new function that is passed here\. Python makes one where it is defined, in every request, and each adds a graph\. Make it once, before the first request, and pass the same one\.$"
