import tensorflow as tf
from multiprocessing import (
    Pool,
    Queue,
)


def embed(text):
    return tf.keras.models.load_model("encoder").predict(text)


def run(texts):
    vocabulary = tf.lookup.StaticHashTable(initializer(), -1)
    with Pool(4) as first:  # want "tf.lookup.StaticHashTable\(\) on line 13"
        results = first.map(embed, texts)
    second = Pool(processes=4)  # want "Pool\(\) forks this process after TensorFlow has initialised its devices\. tf\.lookup\.StaticHashTable\(\) on line 13 has initialised them: embed, which runs in the new process, finds them unusable on line 9 and fails with CUDA_ERROR_NOT_INITIALIZED or hangs\. Python forks by default on Linux before 3\.14\. Spawn the process instead\.$"
    second.apply_async(embed, texts[:1])
    return results, vocabulary, Queue()
