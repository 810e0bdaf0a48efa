import contextlib

import tensorflow as tf

from helpers import strategy_scope

strategy = tf.distribute.MirroredStrategy()


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


with strategy.scope():
    model = build()
model.fit(data)

# Compiling and fitting may be left outside.
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(data)
with strategy.scope():
    model.fit(data)

# Copied under the scope.
first = tf.keras.Sequential([tf.keras.layers.Dense(1)])
with strategy.scope():
    second = tf.keras.models.clone_model(first)
    second.compile(tf.keras.optimizers.Adam(), "mse")

# What the scope is of is not known, or it may be that of no strategy.
third = tf.keras.Sequential([tf.keras.layers.Dense(1)])
with tf.distribute.get_strategy().scope():
    third.compile("sgd", "mse")
with unknown.scope():
    third.compile("sgd", "mse")
if MANY:
    chosen = tf.distribute.MirroredStrategy()
else:
    chosen = tf.distribute.get_strategy()
with chosen.scope():
    third.compile("sgd", "mse")
with tf.distribute.OneDeviceStrategy("/gpu:0").scope():
    third.compile("sgd", "mse")

# It may have been built under the scope.
with strategy_scope(strategy):
    fourth = tf.keras.Sequential([tf.keras.layers.Dense(1)])
with strategy.scope():
    fourth.compile("sgd", "mse")
with (strategy.scope() if MANY else contextlib.nullcontext()):
    fifth = tf.keras.Sequential([tf.keras.layers.Dense(1)])
with strategy.scope():
    fifth.compile("sgd", "mse")


def compile_it(model):
    with strategy.scope():
        model.compile("sgd", "mse")


@under_strategy
def decorated():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


sixth = decorated()
with strategy.scope():
    sixth.compile("sgd", "mse")
    sixth.compile(tf.keras.optimizers.SGD(0.1), "mse")

# Plain SGD has no variables beside the model's.
plain = tf.keras.optimizers.SGD(0.1)
with strategy.scope():
    seventh = build()
    seventh.compile(plain, "mse")


def without_strategy():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adam(), "mse")
    model.fit(data)


without_strategy()
