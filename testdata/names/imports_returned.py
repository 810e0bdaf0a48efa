# A function that imports a module and returns it.


def import_tf(gpu=None):
    """Imports TensorFlow once its environment is set."""
    import tensorflow as tf

    return tf


def either(new):
    if new:
        import tensorflow as tf
    else:
        import tensorflow.compat.v1 as tf
    return tf


def made():
    import tensorflow as tf

    return tf.zeros([3])


tf = import_tf()
tf.zeros([3])  # name: tensorflow.zeros
other = either(True)
other.zeros([3])  # name: -
array = made()
array.shape()  # name: -


def inside():
    tf.ones([3])  # name: tensorflow.ones
