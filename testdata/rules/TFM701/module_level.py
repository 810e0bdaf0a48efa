import multiprocessing
import tensorflow as tf

tf.zeros(1)


def work():
    tf.ones(1)


# Outside the guard a process that is spawned would start another.
multiprocessing.Process(target=work).start()  # want "tf.zeros"
