# What is preferred, and a backend for the code around it.
import tensorflow as tf
from joblib import Parallel, delayed, parallel_config


def train(seed):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model.fit(x, y).history


with parallel_config(backend="loky"):
    Parallel(n_jobs=2, prefer="processes")(delayed(train)(seed) for seed in range(10))  # want "Parallel\(\) starts 2 processes"
Parallel(n_jobs=2, prefer="threads")(delayed(train)(seed) for seed in range(10))
