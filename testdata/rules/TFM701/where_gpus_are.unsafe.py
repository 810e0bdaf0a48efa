import multiprocessing

import tensorflow as tf


def configure():
    if not tf.config.list_physical_devices("GPU"):
        print("no GPU")
        return
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    print(tf.config.list_logical_devices())


def score(seed):
    return float(tf.reduce_sum(tf.random.stateless_normal([1000], [seed, 0])))


def main():
    configure()
    worker = multiprocessing.get_context("spawn").Process(target=score, args=(1,))  # want "multiprocessing\.Process\(\) forks this process after TensorFlow has initialised its devices\. tf\.config\.list_logical_devices\(\) on line 12 has initialised them: score, which runs in the new process, finds them unusable on line 16 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before 3\.14\. Spawn the process instead\.$"
    worker.start()
    worker.join()


if __name__ == "__main__":
    main()
