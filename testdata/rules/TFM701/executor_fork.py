from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import tensorflow as tf


def score(seed):
    return float(tf.reduce_sum(tf.random.stateless_normal([1000], [seed, 0])))


if __name__ == "__main__":
    print(tf.reduce_sum(tf.ones([10])))
    with ProcessPoolExecutor(max_workers=4, mp_context=get_context("fork")) as pool:  # want "ProcessPoolExecutor\(\) forks this process after TensorFlow has initialised its devices\. tf\.ones\(\) on line 12 has initialised them: score, which runs in the new process, finds them unusable on line 8 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Spawn the process instead\.$"
        print(list(pool.map(score, range(4))))
    context = get_context("fork")
    with ProcessPoolExecutor(4, context) as pool:  # want "ProcessPoolExecutor\(\) forks this process after TensorFlow has initialised its devices\. tf\.ones\(\) on line 12 has initialised them: score, which runs in the new process, finds them unusable on line 8 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Spawn the process instead\.$"
        print(pool.submit(score, 1).result())
