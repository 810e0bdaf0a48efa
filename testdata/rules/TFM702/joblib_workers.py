# joblib runs the function in processes of its own, as its default.
import joblib
import tensorflow as tf
from joblib import Parallel, delayed


def train(seed):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y)
    return model.evaluate(x, y)


results = Parallel(n_jobs=4)(delayed(train)(seed) for seed in range(10))  # want "Parallel\(\) starts 4 processes"
results = joblib.Parallel(n_jobs=-1, backend="loky")([joblib.delayed(train)(seed) for seed in seeds])  # want "joblib.Parallel\(\) starts a process for each CPU"
with Parallel(n_jobs=2) as parallel:  # want "Parallel\(\) starts 2 processes"
    parallel(delayed(train)(seed) for seed in seeds)
