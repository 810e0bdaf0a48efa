# A function that map is given may make batches itself.
import tensorflow as tf
from . import elsewhere


def decode(path):
    return tf.image.decode_jpeg(tf.io.read_file(path))


def expands(x):
    return tf.expand_dims(x, 0)


def by_index(x):
    return x[None, ...]


def newaxis(x):
    return x[tf.newaxis]


def reshapes(x):
    return tf.reshape(x, [-1, 3])


def flattens(x):
    return tf.reshape(tf.cast(x, tf.float32), [28 * 28]) / 255.0


def images(x):
    return tf.reshape(tf.io.decode_raw(x, tf.uint8), (28, 28, 1))


def one_image(x):
    return tf.reshape(x, (1, 28, 28))


def some_images(x):
    return tf.reshape(x, shape=[n, 28, 28])


def calls_expands(x):
    return expands(x)


ds = tf.data.Dataset.range(10)
a = ds.map(decode)  # dataset: unbatched
a = ds.map(map_func=decode, num_parallel_calls=4)  # dataset: unbatched
a = ds.map(lambda x: x + 1)  # dataset: unbatched
a = ds.map(lambda x: tf.expand_dims(x, 0))  # dataset: unknown
a = ds.map(expands)  # dataset: unknown
a = ds.map(by_index)  # dataset: unknown
a = ds.map(newaxis)  # dataset: unknown
a = ds.map(reshapes)  # dataset: unknown
a = ds.map(flattens)  # dataset: unbatched
a = ds.map(images)  # dataset: unbatched
a = ds.map(one_image)  # dataset: unknown
a = ds.map(some_images)  # dataset: unknown
a = ds.map(lambda x: x.reshape(28, 28))  # dataset: unknown
a = ds.map(lambda x: tf.reshape(x))  # dataset: unknown
a = ds.map(calls_expands)  # dataset: unknown
a = ds.map(elsewhere.f)  # dataset: unknown
a = ds.map(unknown_function)  # dataset: unknown
a = ds.map(tf.io.parse_example)  # dataset: unknown
a = ds.map(tf.io.parse_single_example)  # dataset: unbatched
a = ds.map(expands).batch(2)  # dataset: batched
a = ds.batch(2).map(decode)  # dataset: batched
a = ds.batch(2).map(unknown_function)  # dataset: unknown
