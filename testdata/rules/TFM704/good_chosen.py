# machine: 8 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) > 1:
    strategy = tf.distribute.MirroredStrategy()
else:
    strategy = tf.distribute.get_strategy()
other = tf.distribute.MirroredStrategy() if len(gpus) > 1 else tf.distribute.get_strategy()


def find(multi):
    if not multi:
        return tf.distribute.get_strategy()
    elif multi == "workers":
        return tf.distribute.MultiWorkerMirroredStrategy()
    else:
        return tf.distribute.MirroredStrategy()
