import horovod.tensorflow as hvd
import tensorflow as tf

hvd.init()
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[hvd.local_rank()], True)


def pick(gpus, n):
    for gpu in gpus[:n]:
        tf.config.experimental.set_memory_growth(gpu, True)
