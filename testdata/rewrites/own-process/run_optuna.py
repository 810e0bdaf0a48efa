"""A study of Optuna: each trial in a process that gives its memory back."""
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


def objective(trial):
    tf.keras.utils.set_random_seed(1)
    units = trial.suggest_int("units", 2, 5)
    model = build(units, trial.suggest_float("learning-rate", 1e-3, 1e-1, log=True))  # <- here
    if trial.suggest_categorical("shift", [True, False]):
        model.layers[-1].bias.assign([0.5])
    history = model.fit(x, y, epochs=2, shuffle=False, verbose=0)
    return history.history["loss"][-1]


study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
study.optimize(objective, n_trials=2)
print(f"{study.best_value:.4f}", len(study.trials), sorted(study.best_params))
