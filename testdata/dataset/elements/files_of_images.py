import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(tf.cast(image, tf.float32) / 255.0, (64, 96))


paths = tf.data.Dataset.list_files("images/*.jpg")  # elements: string
images = paths.map(load)  # elements: 64x96x3 float32
batches = images.batch(16)  # batch: 16
