# Dask's workers are processes, unless it is told otherwise.
import tensorflow as tf
from dask.distributed import Client, LocalCluster


def train(fold):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model.fit(load(fold)).history


if __name__ == "__main__":
    with Client(n_workers=4, threads_per_worker=1) as client:  # want "warning: These processes share the GPU without a memory limit\. Client\(\) starts 4 processes\. Each uses TensorFlow \(train, on line 8\)"
        print(client.gather(client.map(train, range(4))))
    cluster = LocalCluster(n_workers=2)
    other = Client(cluster)  # want "LocalCluster\(\) starts 2 processes"
    futures = [other.submit(train, fold) for fold in range(5)]
    every = Client()  # want "Client\(\) starts a process for each CPU"
    every.map(train, range(4))
