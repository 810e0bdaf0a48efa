# Other libraries that try hyperparameters.
import GPyOpt
import tensorflow as tf
from bayes_opt import BayesianOptimization
from hyperopt import STATUS_OK, Trials, fmin, hp, tpe
from skopt import gp_minimize
from skopt.utils import use_named_args
import gc


def by_hyperopt(space):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(int(space["units"])), tf.keras.layers.Dense(1)])  # want "warning: Every trial builds another model"
    net.compile("adam", "mse")
    net.fit(x, y, verbose=0)
    return {"loss": net.evaluate(x_val, y_val), "status": STATUS_OK}


best = fmin(by_hyperopt, {"units": hp.quniform("units", 64, 1024, 64)}, algo=tpe.suggest, max_evals=80, trials=Trials())


@use_named_args(dimensions)
def by_skopt(units, rate):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # want "warning: Every trial builds another model"
    net.compile(tf.keras.optimizers.Adam(rate), "mse")
    net.fit(x, y, verbose=0)
    return net.evaluate(x_val, y_val)


gp_minimize(by_skopt, dimensions, n_calls=60)


def by_gpyopt(values):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.applications.ResNet50(weights=None, classes=int(values[0][0]))  # want "warning: Every trial builds another model"
    net.compile("sgd", "mse")
    return net.fit(x, y).history["loss"][-1]


GPyOpt.methods.BayesianOptimization(f=by_gpyopt, domain=bounds).run_optimization(max_iter=40)


def by_bayes(units):
    tf.keras.backend.clear_session()
    gc.collect()
    net = tf.keras.Sequential([tf.keras.layers.Dense(int(units)), tf.keras.layers.Dense(1)])  # want "warning: Every trial builds another model"
    net.compile("adam", "mse")
    net.fit(x, y, verbose=0)
    return -net.evaluate(x_val, y_val)


BayesianOptimization(by_bayes, {"units": (64, 1024)}).maximize(init_points=5, n_iter=50)
