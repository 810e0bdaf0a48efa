# The widths are known values of a hyperparameter.
import tensorflow as tf
from tensorboard.plugins.hparams import api as hp

UNITS = hp.HParam("units", hp.Discrete([32, 16]))
RATE = hp.HParam("dropout", hp.RealInterval(0.1, 0.2))
OPTIMIZER = hp.HParam("optimizer", hp.Discrete(["adam", "sgd"]))
WIDE = hp.HParam("units", hp.Discrete([32, 2048]))


def build(hparams, units=UNITS):
    model = tf.keras.Sequential()
    model.add(tf.keras.layers.Dense(hparams[units], input_shape=[1]))
    model.add(tf.keras.layers.Dropout(hparams[RATE]))
    model.add(tf.keras.layers.Dense(1))
    model.compile(hparams[OPTIMIZER], loss="mse")
    return model


def wide(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=[2048]), tf.keras.layers.Dense(1)])
    model.compile("adam", loss="mse")
    return model


def train():
    for units in UNITS.domain.values:
        for rate in (RATE.domain.min_value, RATE.domain.max_value):
            for optimizer in OPTIMIZER.domain.values:
                hparams = {UNITS: units, RATE: rate, OPTIMIZER: optimizer}
                model = build(hparams)
                model.fit(x, y)


train()
for fold in range(3):
    for units in WIDE.domain.values:
        model = wide(units)  # want "warning: "
        model.fit(x, y)
