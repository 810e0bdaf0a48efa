"""Records which models are still alive after a search of eight trials, whose function clears the session
and collects garbage at the start of each, and how many there were at most.

    python record_trials.py > trials.json

Needs TensorFlow, Hyperopt, Optuna and scikit-optimize, and no GPU. Every row runs in a process of its own.
A row says what becomes of the model in the trial; `of` is the table's name of what calls the function.
"""

import json
import os
import subprocess
import sys

HEAD = """
import gc, os, weakref
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import numpy as np
import tensorflow as tf

made, most = [], 0
x, y = np.ones((64, 32), "float32"), np.zeros((64, 1), "float32")


def alive():
    return sum(ref() is not None for ref in made)


def trained(units):
    global most
    most = max(most, alive())
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.Input((32,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    made.append(weakref.ref(model))
    model.fit(x, y, verbose=0)
    return model
"""

HYPEROPT = """
from hyperopt import STATUS_OK, Trials, fmin, hp, tpe
def objective(params):
    model = trained(int(params["units"]))
    {result}
trials = Trials()
fmin(objective, {{"units": hp.quniform("units", 1, 8, 1)}}, algo=tpe.suggest, max_evals=8, show_progressbar=False{more})
"""
OPTUNA = """
import optuna
optuna.logging.set_verbosity(optuna.logging.ERROR)
def objective(trial):
    model = trained(trial.suggest_int("units", 1, 8))
    {result}
    return 1.0
study = optuna.create_study()
study.optimize(objective, n_trials=8)
"""
SKOPT = """
import skopt
def objective(params):
    model = trained(int(params[0]))
    objective.model = model
    return 1.0
result = skopt.gp_minimize(objective, [(1, 8)], n_calls=8, n_initial_points=8)
"""

ROWS = [
    ("hyperopt.fmin", "returned, with trials=", HYPEROPT.format(result='return {"loss": 1.0, "status": STATUS_OK, "model": model}', more=", trials=trials")),
    ("hyperopt.fmin", "returned", HYPEROPT.format(result='return {"loss": 1.0, "status": STATUS_OK, "model": model}', more="")),
    ("hyperopt.fmin", "not returned", HYPEROPT.format(result='return {"loss": 1.0, "status": STATUS_OK}', more=", trials=trials")),
    ("optuna.study.Study.optimize", "given to set_user_attr", OPTUNA.format(result='trial.set_user_attr("model", model)')),
    ("optuna.study.Study.optimize", "not returned", OPTUNA.format(result="pass")),
    ("skopt.gp_minimize", "an attribute of the function", SKOPT),
]


def main():
    record = []
    for of, does, code in ROWS:
        code = HEAD + code + "\ntf.keras.backend.clear_session(); gc.collect()\nimport json; print('ROW', json.dumps([most, alive(), tf.__version__]))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        rows = [line for line in done.stdout.splitlines() if line.startswith("ROW ")]
        if not rows:
            sys.exit(f"{of}, {does} failed:\n{done.stderr[-2000:]}")
        most, alive, version = json.loads(rows[0][4:])
        record.append({"of": of, "does": does, "most": most, "alive": alive, "tensorflow": version})
        print(of, does, most, alive, file=sys.stderr, flush=True)
    json.dump(record, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
