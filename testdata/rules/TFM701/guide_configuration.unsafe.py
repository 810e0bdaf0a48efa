import multiprocessing

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    try:
        for gpu in gpus:
            tf.config.experimental.set_memory_growth(gpu, True)
        logical_gpus = tf.config.list_logical_devices("GPU")
        print(len(gpus), "Physical GPUs,", len(logical_gpus), "Logical GPUs")
    except RuntimeError as e:
        print(e)


def score(seed):
    return float(tf.reduce_sum(tf.random.stateless_normal([1000], [seed, 0])))


if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(4) as pool:  # want "multiprocessing\.Pool\(\) forks this process after TensorFlow has initialised its devices\. tf\.config\.list_logical_devices\(\) on line 10 has initialised them: score, which runs in the new process, finds them unusable on line 17 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before 3\.14\. Spawn the process instead\.$"
        print(pool.map(score, range(4)))
