# Searches that free their models themselves, run each trial in a process, or are told to keep the model.
import keras_tuner
import talos
import tensorflow as tf
from hyperopt import fmin, tpe
from ray import tune


def with_tuner(hp):
    net = tf.keras.Sequential([tf.keras.layers.Dense(hp.Int("units", 64, 1024)), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


keras_tuner.RandomSearch(with_tuner, objective="val_loss", max_trials=100).search(x, y, validation_data=(x_val, y_val))


def with_talos(x_train, y_train, x_val, y_val, params):
    net = tf.keras.Sequential([tf.keras.layers.Dense(params["units"]), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    past = net.fit(x_train, y_train, validation_data=(x_val, y_val))
    return past, net


talos.Scan(x, y, params={"units": [64, 128, 256]}, model=with_talos, experiment_name="units")


def with_ray(config):
    net = tf.keras.Sequential([tf.keras.layers.Dense(config["units"]), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    tune.report({"loss": net.fit(x, y).history["loss"][-1]})


tune.Tuner(with_ray, param_space={"units": tune.randint(64, 1024)}, tune_config=tune.TuneConfig(num_samples=100)).fit()
