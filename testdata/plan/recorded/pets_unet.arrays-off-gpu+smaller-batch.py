"""After keras.io's "Image segmentation with a U-Net-like architecture": three classes of pixels of pets."""
# device: 962 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers
import tensorflow as tf

img_size = (96, 96)
num_classes = 3
batch_size = 8
x = np.zeros((64,) + img_size + (3,), "float32")
y = np.zeros((64,) + img_size + (1,), "uint8")


def get_model(img_size, num_classes):
    inputs = keras.Input(shape=img_size + (3,))
    x = layers.Conv2D(16, 3, strides=2, padding="same")(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    previous = x
    for filters in [32, 64]:
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        residual = layers.Conv2D(filters, 1, strides=2, padding="same")(previous)
        x = layers.add([x, residual])
        previous = x
    for filters in [64, 32, 16]:
        x = layers.Activation("relu")(x)
        x = layers.Conv2DTranspose(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
        x = layers.Conv2DTranspose(filters, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.UpSampling2D(2)(x)
        residual = layers.UpSampling2D(2)(previous)
        residual = layers.Conv2D(filters, 1, padding="same")(residual)
        x = layers.add([x, residual])
        previous = x
    outputs = layers.Conv2D(num_classes, 3, activation="softmax", padding="same")(x)
    return keras.Model(inputs, outputs)


model = get_model(img_size, num_classes)
model.compile(optimizer=keras.optimizers.Adam(1e-4), loss="sparse_categorical_crossentropy", jit_compile=False)
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).batch(batch_size)
model.fit(train_data, epochs=50)
