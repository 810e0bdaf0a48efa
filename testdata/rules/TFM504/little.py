# What the code shows of sizes and iterations decides how much is at stake.
import tensorflow as tf
from sklearn.model_selection import KFold


def small(units):
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def large(units):
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


for units in [8, 16, 32]:
    model = small(units)
    model.fit(x, y)
for fold in range(100):
    for units in [8, 16, 32]:
        model = small(units)
        model.fit(x, y)
for fold in range(10000):
    for units in [8, 16, 32]:
        model = small(units)  # want "warning: .* All 30000 of them together take 55\.3 MiB at most\.$"
        model.fit(x, y)
for fold in folds:
    model = small(8)  # want "warning: "
    model.fit(x, y)
for units in [8, 16, 100000]:
    model = large(units)  # want "information: "
    model.fit(x, y)
for units in sizes:
    model = large(units)  # want "warning: "
    model.fit(x, y)
folds = KFold(n_splits=5, shuffle=True)
for train, test in folds.split(x):
    model = small(8)
    model.fit(x[train], y[train])
for i, (train, test) in enumerate(KFold(2).split(x)):
    model = small(8)
    model.fit(x[train], y[train])
