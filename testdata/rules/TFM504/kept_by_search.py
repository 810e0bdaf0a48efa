# Models that a search keeps: those that a trial returns to Hyperopt, or sets on a trial of Optuna. Clearing frees none.
import gc

import optuna
import skopt
import tensorflow as tf
from hyperopt import STATUS_OK, Trials, fmin, hp, tpe
from data import x, y

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def build(units):
    model = tf.keras.Sequential([tf.keras.Input((300,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def returned(params):
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(int(params["units"]))  # want "information: Every trial builds another model, and none is freed\. The search keeps what it is given on line 25, and the model with it, until it ends\. Give it numbers, and save the best model to a file\."
    model.fit(x, y)
    return {"loss": model.evaluate(x, y), "status": STATUS_OK, "model": model}


fmin(returned, {"units": hp.quniform("units", 64, 4096, 64)}, algo=tpe.suggest, max_evals=200, trials=Trials())


def named(params):
    model = build(int(params["units"]))  # want "The search keeps what it is given on line 36"
    model.fit(x, y)
    result = {"loss": model.evaluate(x, y), "status": STATUS_OK}
    result["model"] = model
    return result


fmin(named, {"units": hp.quniform("units", 64, 4096, 64)}, algo=tpe.suggest, max_evals=200)


def counted(params):
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(int(params["units"]))
    model.fit(x, y)
    return {"loss": model.evaluate(x, y), "status": STATUS_OK, "parameters": model.count_params()}


fmin(counted, {"units": hp.quniform("units", 64, 128, 64)}, algo=tpe.suggest, max_evals=3)


def attribute(trial):
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(trial.suggest_int("units", 64, 4096))  # want "The search keeps what it is given on line 58"
    model.fit(x, y)
    trial.set_user_attr("model", model)
    return model.evaluate(x, y)


optuna.create_study().optimize(attribute, n_trials=200)


def best_only(trial):
    model = build(trial.suggest_int("units", 64, 128))
    model.fit(x, y)
    trial.set_user_attr("parameters", model.count_params())
    tf.keras.backend.clear_session()
    gc.collect()
    return model.evaluate(x, y)


optuna.create_study().optimize(best_only, n_trials=3)
