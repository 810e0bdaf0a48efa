# Optimizers that live longer than the models keep their states.
import tensorflow as tf
from tensorflow.keras import optimizers


def create(optimizer):
    model = tf.keras.Sequential([tf.keras.layers.Dense(2048), tf.keras.layers.Dense(1)])
    model.compile(optimizer=optimizer, loss="mse")
    return model


def trained(optimizer):
    model = create(optimizer)
    return model.fit(x, y).history["loss"]


opts = []
opts.append((optimizers.SGD(learning_rate=lr), "SGD"))
opts.append((optimizers.Adam(learning_rate=lr), "Adam"))
losses = {}
for opt, name in opts:
    losses[name] = trained(opt)  # want "none is freed\. Earlier models stay .* The optimizers on line 18 exist before the iteration\. They keep the state of their model, and in Keras 3 its weights, even then: create each one in its iteration\.$"
displayed = [tf.keras.optimizers.Adam(rate) for rate in rates]
for opt in displayed:
    model = create(opt)  # want "The optimizers on line 23 exist before the iteration"
    model.fit(x, y)
for i, opt in enumerate(displayed):
    model = create(opt)  # want "The optimizers on line 23 exist before the iteration"
    model.fit(x, y)
shared = tf.keras.optimizers.legacy.Adam(1e-3)
for fold in folds:
    model = create(shared)  # want "The optimizers on line 30 exist before the iteration"
    model.fit(x, y)
