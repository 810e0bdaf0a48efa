# Threads, one worker, workers that somebody else has started, a GPU for each.
import tensorflow as tf
from dask.distributed import Client, LocalCluster
from dask_cuda import LocalCUDACluster


def train(fold):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model.fit(load(fold)).history


if __name__ == "__main__":
    threads = Client(n_workers=4, processes=False)
    threads.map(train, range(4))
    one = Client(LocalCluster(n_workers=1))
    one.map(train, range(4))
    far = Client("tcp://10.0.0.1:8786")
    far.map(train, range(4))
    cards = Client(LocalCUDACluster())
    cards.map(train, range(4))
    single = Client(n_workers=4)
    single.submit(train, 1).result()
