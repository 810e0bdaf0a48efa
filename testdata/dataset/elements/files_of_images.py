import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(tf.cast(image, tf.float32) / 255.0, (64, 96))


paths = tf.data.Dataset.list_files("images/*.jpg")  # elements: string
images = paths.map(load)  # elements: 64x96x3 float32
batches = images.batch(16)  # batch: 16


def converted(path):
    image = tf.image.convert_image_dtype(tf.io.decode_png(tf.io.read_file(path), channels=1), tf.float32)
    return tf.image.grayscale_to_rgb(image), tf.strings.length(path)


def augmented(image, length):
    image = tf.image.resize(image, (64, 96))
    image = tf.image.random_contrast(tf.image.random_hue(image, 0.1), 0.8, 1.2)
    return tf.image.per_image_standardization(tf.image.rot90(image)), length


def numbered(image, length):
    return tf.image.convert_image_dtype(image, tf.uint8), tf.image.rot90(image, k=2)


def window(path):
    return tf.image.decode_and_crop_jpeg(tf.io.read_file(path), [0, 0, 32, 48], channels=3)


grays = paths.map(converted)  # elements: ?x?x3 float32, int32
turned = grays.map(augmented)  # elements: 96x64x3 float32, int32
both = turned.map(numbered)  # elements: 96x64x3 uint8, 96x64x3 float32
windows = paths.map(window)  # elements: 32x48x3 uint8


def jittered(path):
    image = tf.cast(tf.io.decode_jpeg(tf.io.read_file(path)), tf.float32)
    half = tf.shape(image)[1] // 2
    pair = tf.stack([tf.image.resize(image[:, half:, :], [70, 70]), tf.image.resize(image[:, :half, :], [70, 70])])
    pair = tf.image.random_crop(pair, size=[2, 64, 64, 3])
    a, b = pair[0], pair[1]
    if tf.random.uniform(()) > 0.5:
        a, b = tf.image.flip_left_right(a), tf.image.flip_left_right(b)
    return a, b


pairs = paths.map(jittered).batch(1)  # elements: 64x64x3 float32, 64x64x3 float32  # batch: 1
