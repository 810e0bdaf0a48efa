# What surely can be sent to another process and back.
import argparse
import time

import hyperopt
import numpy as np
import optuna
import tensorflow as tf
from hyperopt import STATUS_OK
from sklearn import metrics
from sklearn.preprocessing import StandardScaler

args = argparse.ArgumentParser().parse_args()
x = np.ones((8, 4))
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
history = model.fit(x, x)
losses = history.history
print(1)  # sendable: yes
print([1, ("a", None)])  # sendable: yes
print({"loss": 1.0, "status": STATUS_OK})  # sendable: yes
print({"loss": 1.0, "status": hyperopt.STATUS_FAIL})  # sendable: yes
print({"loss": 1.0, "model": model})  # sendable: no
print(model)  # sendable: no
print([model])  # sendable: no
print(lambda: 1)  # sendable: no
print(unknown)  # sendable: no
print(unknown())  # sendable: no
print(x[0])  # sendable: yes
print(args)  # sendable: yes
print(args.rate)  # sendable: yes
print(tf.ones(3))  # sendable: no
print(model.evaluate(x, x))  # sendable: yes
print(-model.evaluate(x, x)[1])  # sendable: yes
print(np.mean(model.predict(x)))  # sendable: yes
print(history.history["val_loss"][-1])  # sendable: yes
print(min(losses["val_loss"]))  # sendable: yes
print(history)  # sendable: no
print(metrics.accuracy_score(x, x))  # sendable: yes
print(time.time())  # sendable: yes
print(StandardScaler().fit(x))  # sendable: no
print(1 if unknown else model)  # sendable: no
print(unknown > 1)  # sendable: no
print([n + 1 for n in range(3)])  # sendable: yes
print(list(range(3)))  # sendable: yes
print(list(unknown))  # sendable: no
for units in [1, 2]:
    print(units)  # sendable: yes
for layer in model.layers:
    print(layer)  # sendable: no


def objective(trial):
    print(trial)  # sendable: no
    print(trial.suggest_int("n", 1, 3))  # sendable: yes
    print([trial.suggest_float(f"rate{i}", 0.0, 0.5) for i in range(3)])  # sendable: yes
    print(trial.study)  # sendable: no
    return 1.0


def other(trial):
    print(trial.suggest_int("n", 1, 3))  # sendable: no


optuna.create_study().optimize(objective, n_trials=3)
