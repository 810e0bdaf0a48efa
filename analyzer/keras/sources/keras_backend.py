# Functions of keras.backend on pictures and sequences that other functions on tensors compute
# (keras/src/legacy/backend.py, tf_keras/src/backend.py).
import tensorflow as tf


def channels_first(data_format):
    return (data_format or tf.keras.backend.image_data_format()) == "channels_first"


def resize_images(x, height_factor, width_factor, data_format, interpolation="nearest"):
    if data_format == "channels_first":
        x = tf.transpose(x, (0, 2, 3, 1))
    size = (tf.shape(x)[1] * height_factor, tf.shape(x)[2] * width_factor)
    x = tf.image.resize(x, size, method=interpolation)
    if data_format == "channels_first":
        x = tf.transpose(x, (0, 3, 1, 2))
    return x


def resize_volumes(x, depth_factor, height_factor, width_factor, data_format):
    axis = 2 if data_format == "channels_first" else 1
    for i, factor in enumerate((depth_factor, height_factor, width_factor)):
        x = tf.keras.backend.repeat_elements(x, factor, axis + i)
    return x


def pad(x, padding, data_format):
    if channels_first(data_format):
        return tf.pad(x, [(0, 0), (0, 0)] + list(padding))
    return tf.pad(x, [(0, 0)] + list(padding) + [(0, 0)])


def temporal_padding(x, padding=(1, 1)):
    return tf.pad(x, [(0, 0), padding, (0, 0)])


def spatial_2d_padding(x, padding=((1, 1), (1, 1)), data_format=None):
    return pad(x, padding, data_format)


def spatial_3d_padding(x, padding=((1, 1), (1, 1), (1, 1)), data_format=None):
    return pad(x, padding, data_format)


def pooled(x, pools, pool_size, strides, padding, data_format, pool_mode):
    n = len(pool_size)
    if channels_first(data_format):
        x = tf.transpose(x, [0] + list(range(2, n + 2)) + [1])
    x = pools[pool_mode](x, pool_size, strides, padding.upper())
    if channels_first(data_format):
        x = tf.transpose(x, [0, n + 1] + list(range(1, n + 1)))
    return x


def pool2d(x, pool_size, strides=(1, 1), padding="valid", data_format=None, pool_mode="max"):
    return pooled(x, {"max": tf.nn.max_pool2d, "avg": tf.nn.avg_pool2d}, pool_size, strides, padding, data_format, pool_mode)


def pool3d(x, pool_size, strides=(1, 1, 1), padding="valid", data_format=None, pool_mode="max"):
    return pooled(x, {"max": tf.nn.max_pool3d, "avg": tf.nn.avg_pool3d}, pool_size, strides, padding, data_format, pool_mode)
