"""After keras.io's "Image classification with ConvMixer": isotropic blocks with gelu."""
# device: 938 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers
import tensorflow as tf

batch_size = 16
images = np.zeros((256, 32, 32, 3), "float32")
labels = np.zeros((256,), "int32")


def activation_block(x):
    return layers.BatchNormalization()(layers.Activation("gelu")(x))


def conv_stem(x, filters, patch_size):
    return activation_block(layers.Conv2D(filters, kernel_size=patch_size, strides=patch_size)(x))


def conv_mixer_block(x, filters, kernel_size):
    x0 = x
    x = layers.DepthwiseConv2D(kernel_size=kernel_size, padding="same")(x)
    x = layers.Add()([activation_block(x), x0])
    return activation_block(layers.Conv2D(filters, kernel_size=1)(x))


def get_conv_mixer(image_size=32, filters=96, depth=4, kernel_size=5, patch_size=2, num_classes=10):
    inputs = keras.Input((image_size, image_size, 3))
    x = layers.Rescaling(scale=1.0 / 255)(inputs)
    x = conv_stem(x, filters, patch_size)
    for _ in range(depth):
        x = conv_mixer_block(x, filters, kernel_size)
    x = layers.GlobalAvgPool2D()(x)
    return keras.Model(inputs, layers.Dense(num_classes, activation="softmax")(x))


model = get_conv_mixer()
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(images)).batch(batch_size)
model.fit(train_data, epochs=10)
