import tensorflow as tf
import devices


def grow(gpu, *args, **options):
    tf.config.experimental.set_memory_growth(gpu, True)
    tf.config.experimental.set_memory_growth(*args)
    tf.config.experimental.set_memory_growth(**options)
    tf.config.experimental.set_memory_growth(devices.first(), bool(args))
    tf.config.experimental.set_memory_growth(devices.GPUS[0], enabled=True)
