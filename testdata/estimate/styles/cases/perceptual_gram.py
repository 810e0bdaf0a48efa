"""Two outputs with a loss each: one compares Gram matrices of features, the other pixels; names map them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

vgg = keras.applications.VGG16(include_top=False, weights=None, input_shape=(80, 80, 3))
extractor = keras.Model(vgg.input, [vgg.get_layer(f"block{i}_conv2").output for i in (1, 2, 3)])
extractor.trainable = False


def gram(x):
    shape = tf.shape(x)
    flat = tf.reshape(x, (shape[0], shape[1] * shape[2], x.shape[-1]))
    return tf.matmul(flat, flat, transpose_a=True) / tf.cast(shape[1] * shape[2], tf.float32)


def style(y_true, y_pred):
    wanted, made = extractor(y_true), extractor(y_pred)
    return tf.add_n([tf.reduce_mean(tf.square(gram(a) - gram(b))) for a, b in zip(wanted, made)])


inputs = keras.Input((80, 80, 3))
x = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(32, 3, padding="same", activation="relu")(x)
picture = layers.Conv2D(3, 3, padding="same", activation="sigmoid", name="picture")(x)
mask = layers.Conv2D(1, 1, activation="sigmoid", name="mask")(x)
model = keras.Model(inputs, {"picture": picture, "mask": mask})
model.compile(
    optimizer=keras.optimizers.SGD(0.01, momentum=0.9),
    loss={"picture": style, "mask": "binary_crossentropy"},
    jit_compile=False,
)
images = np.zeros((60, 80, 80, 3), "float32")
model.fit(images, {"picture": images, "mask": np.zeros((60, 80, 80, 1), "float32")}, batch_size=6)
