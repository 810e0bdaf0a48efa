# An outer loop repeats the inner one.
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp
import gc

UNITS = hp.HParam("units", hp.Discrete([1024, 2048]))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))


def build(units, optimizer):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    return model


for units in UNITS.domain.values:
    for optimizer in OPTIMIZER.domain.values:
        model = None
        tf.keras.backend.clear_session()
        gc.collect()
        model = build(units, optimizer)  # want "information: Every iteration of the loop on line 16 builds another model"
        model.fit(x, y)
for optimizer in OPTIMIZER.domain.values:
    model = build(1024, optimizer)
    model.fit(x, y)


def both(fold):
    for units in [1024, 2048]:
        model = None
        tf.keras.backend.clear_session()
        gc.collect()
        model = build(units, "adam")  # want "warning: Every iteration of the loop on line 25 builds another model"
        model.fit(x[fold], y[fold])


for fold in folds:
    both(fold)
