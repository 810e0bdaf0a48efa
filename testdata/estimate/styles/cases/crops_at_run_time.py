# Crops whose size a run computes from the picture, before it is resized.
import tensorflow as tf

SIDE = 64


def square(image):
    shape = tf.shape(image)
    side = tf.minimum(shape[0], shape[1])
    return tf.image.resize_with_crop_or_pad(image, side, side)


def middle(image):
    h = tf.shape(image)[0]
    w = tf.shape(image)[1]
    c = tf.minimum(h, w)
    return tf.image.crop_to_bounding_box(image, (h - c) // 2, (w - c) // 2, c, c)


def padded(image):
    h, w, _ = tf.unstack(tf.shape(image))
    side = tf.maximum(h, w)
    image = tf.image.pad_to_bounding_box(image, (side - h) // 2, (side - w) // 2, side, side)
    return tf.image.rot90(image)


def by_ratio(image):
    ratio = tf.random.uniform([], 0.5, 1.0)
    h = tf.cast(ratio * tf.cast(tf.shape(image)[0], tf.float32), tf.int32)
    return tf.image.crop_to_bounding_box(image, 0, 0, h, h)


def four_fifths(image):
    size = tf.cast(tf.cast(tf.shape(image)[:2], tf.float32) * 0.8, tf.int32)
    return tf.image.random_crop(image, [size[0], size[1], 3])


def distorted(image):
    begin, size, _ = tf.image.sample_distorted_bounding_box(
        tf.shape(image), tf.zeros([1, 0, 4]), use_image_if_no_bounding_boxes=True)
    image = tf.slice(image, begin, size)
    image.set_shape([None, None, 3])
    return image


def quarters(image):
    h, w = tf.shape(image)[0], tf.shape(image)[1]
    return tf.image.central_crop(image[h // 4 : h - h // 4, w // 4 : w - w // 4, :], 0.875)


def shorter_side(image):
    h, w = tf.shape(image)[0], tf.shape(image)[1]
    scale = 96.0 / tf.cast(tf.minimum(h, w), tf.float32)
    size = tf.cast([tf.cast(h, tf.float32) * scale, tf.cast(w, tf.float32) * scale], tf.int32)
    return tf.image.random_crop(tf.image.resize(image, size), [SIDE, SIDE, 3])


def views(picture, label):
    image = tf.io.decode_png(tf.io.encode_png(picture), channels=3)
    cuts = [square, middle, padded, by_ratio, four_fifths, distorted, quarters]
    parts = [tf.image.resize(cut(image), (SIDE, SIDE)) / 255.0 for cut in cuts]
    parts.append(shorter_side(image) / 255.0)
    return tf.concat(parts, -1), label


pictures = tf.random.uniform((64, 90, 120, 3), 0, 255, dtype=tf.int32)
data = tf.data.Dataset.from_tensor_slices((tf.cast(pictures, tf.uint8), tf.zeros(64, tf.int32)))
data = data.map(views).batch(16)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.MaxPooling2D(),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(data)
