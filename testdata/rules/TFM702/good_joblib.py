# One process, threads, or what is not known.
from joblib import Parallel, delayed
import tensorflow as tf


def train(seed):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(x, y)


Parallel()(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=1)(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=4, prefer="threads")(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=4, backend="threading")(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=4, require="sharedmem")(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=4, backend=chosen())(delayed(train)(seed) for seed in range(10))
Parallel(n_jobs=count())(delayed(train)(seed) for seed in range(10))
