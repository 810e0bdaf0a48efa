"""A study of Optuna: each trial in a process that gives its memory back."""
import concurrent.futures
import multiprocessing

import numpy as np
import optuna
import tensorflow as tf

optuna.logging.set_verbosity(optuna.logging.ERROR)
x = np.linspace(0, 1, 64, dtype="float32").reshape(16, 4)
y = x[:, :1]


def build(units, rate):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile(optimizer=tf.keras.optimizers.SGD(rate), loss="mse")
    return model


def run_trial(units, learning_rate, shift):
    tf.keras.utils.set_random_seed(1)
    model = build(units, learning_rate)  # <- here
    if shift:
        model.layers[-1].bias.assign([0.5])
    history = model.fit(x, y, epochs=2, shuffle=False, verbose=0)
    return history.history["loss"][-1]


def objective(trial):
    units = trial.suggest_int("units", 2, 5)
    learning_rate = trial.suggest_float("learning-rate", 1e-3, 1e-1, log=True)
    shift = trial.suggest_categorical("shift", [True, False])
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(run_trial, units, learning_rate, shift).result()


if __name__ == "__main__":
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    study.optimize(objective, n_trials=2)
    print(f"{study.best_value:.4f}", len(study.trials), sorted(study.best_params))
