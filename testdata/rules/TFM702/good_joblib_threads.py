# All of the code runs with threads.
import joblib
import tensorflow as tf
from joblib import Parallel, delayed


def train(seed):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model.fit(x, y).history


with joblib.parallel_backend("threading"):
    Parallel(n_jobs=2)(delayed(train)(seed) for seed in range(10))
