# What a library calls with tensors, with the same function, or seldom.
import optuna
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def step(x, rate):
    return tf.reduce_mean(model(x)) * rate


class Schedule(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        step(tf.zeros((8, 4)), tf.constant(epoch))
        step(tf.zeros((8, 4)), logs)
        step(tf.zeros((8, 4)), epoch % 2)

    def on_train_begin(self, logs=None):
        step(tf.zeros((8, 4)), 0.1)


def objective(trial):
    rate = trial.suggest_categorical("rate", [0.1, 0.01])
    return float(step(tf.zeros((8, 4)), rate))


optuna.create_study().optimize(objective, n_trials=100)


def few(trial):
    return float(step(tf.zeros((8, 4)), trial.suggest_float("rate", 1e-5, 1e-1)))


optuna.create_study().optimize(few, n_trials=3)
