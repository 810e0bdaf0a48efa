import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import Pool, cpu_count

import tensorflow as tf

# The same GPU for all of them.
os.environ["CUDA_VISIBLE_DEVICES"] = "0"
WORKERS = 3


def embed(path):
    return tf.keras.applications.ResNet50().predict(read(path))


if __name__ == "__main__":
    with Pool(WORKERS) as pool:  # want "These processes share the GPU without a memory limit\. Pool\(\) starts 3 processes\. Each uses TensorFlow \(embed, on line 13\) and reserves nearly all free memory of every visible GPU, so the first leaves none to the others\. Set a memory limit in each worker\.$"
        pool.map(embed, paths)
    with Pool() as pool:  # want "Pool\(\) starts a process for each CPU"
        pool.imap_unordered(embed, paths)
    executor = ProcessPoolExecutor(max_workers=cpu_count())  # want "ProcessPoolExecutor\(\) starts a process for each CPU"
    futures = [executor.submit(embed, path) for path in paths]
    executor = ProcessPoolExecutor(None)  # want "ProcessPoolExecutor\(\) starts a process for each CPU"
    executor.map(embed, paths)
