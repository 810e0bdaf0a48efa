# scikit-learn builds a model for each fold of each candidate, through a wrapper.
import tensorflow as tf
from scikeras.wrappers import KerasClassifier, KerasRegressor
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
import gc


def grid(units, rate=1e-3):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # want "warning: Every candidate builds another model, and none is freed\."
    net.compile(tf.keras.optimizers.Adam(rate), "mse")
    return net


search = GridSearchCV(KerasRegressor(grid, units=64), {"units": [64, 128, 256], "rate": [1e-2, 1e-3]}, cv=10)
search.fit(x, y)


def folded():
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])  # want "warning: Every fold builds another model, and none is freed\."
    net.compile("adam", "mse")
    return net


steps = [("scale", StandardScaler()), ("net", KerasClassifier(model=folded, epochs=10))]
print(cross_val_score(Pipeline(steps), x, y, cv=KFold(n_splits=20)).mean())


def few():
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])  # want "information: Every fold builds another model.* There are 5 models"
    net.compile("adam", "mse")
    return net


print(cross_val_score(make_pipeline(StandardScaler(), KerasClassifier(few)), x, y))


def once():
    net = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


KerasClassifier(once).fit(x, y)
