# A library calls the function that creates the tf.function: for each request, epoch and trial.
import optuna
import tensorflow as tf
from flask import Flask

app = Flask(__name__)
model = tf.keras.models.load_model("model.keras")


@app.route("/score")
def score():
    @tf.function  # want "warning: This tf\.function is created, and therefore retraced, in every request\. A new function has no trace, so run is traced each time instead of once\. Create it before the first request\.$"
    def run(x):
        return model(x)

    return str(run(tf.zeros((1, 4))))


@app.route("/class")
def classify():
    forward = tf.function(model)  # want "warning: This tf\.function is created, and therefore retraced, in every request\."
    return str(forward(tf.zeros((1, 4))))


class Watch(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        @tf.function  # want "information: This tf\.function is created, and therefore retraced, in every epoch\."
        def evaluate(x):
            return tf.reduce_mean(x)

        print(evaluate(tf.zeros((8, 4))))

    def on_train_batch_end(self, batch, logs=None):
        forward = tf.function(tf.reduce_sum)  # want "warning: This tf\.function is created, and therefore retraced, in every batch\."
        print(forward(tf.zeros((8, 4))))


def distance(x):
    @tf.function  # want "information: This tf\.function is created, and therefore retraced, in every trial\. .* so squared is traced each time"
    def squared(x):
        return tf.reduce_sum(x**2)

    return float(squared(x))


def objective(trial):
    return distance(tf.fill((4,), trial.suggest_float("x", -1.0, 1.0)))


optuna.create_study().optimize(objective, n_trials=100)
