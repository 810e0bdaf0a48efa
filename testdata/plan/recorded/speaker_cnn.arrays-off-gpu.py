"""After keras.io's "Speaker Recognition": a residual network of one dimension over spectra."""
# device: 1000 MiB
# keras: 3.15
import numpy as np
import tensorflow as tf
from tensorflow import keras

SAMPLING_RATE = 8000
BATCH_SIZE = 32
spectra = np.zeros((128, SAMPLING_RATE // 2, 1), "float32")
speakers = np.zeros((128,), "int32")
with tf.device("/CPU:0"):
    train_ds = tf.data.Dataset.from_tensor_slices((spectra, speakers)).shuffle(128).batch(BATCH_SIZE)


def residual_block(x, filters, conv_num=3, activation="relu"):
    s = keras.layers.Conv1D(filters, 1, padding="same")(x)
    for _ in range(conv_num - 1):
        x = keras.layers.Conv1D(filters, 3, padding="same")(x)
        x = keras.layers.Activation(activation)(x)
    x = keras.layers.Conv1D(filters, 3, padding="same")(x)
    x = keras.layers.Add()([x, s])
    x = keras.layers.Activation(activation)(x)
    return keras.layers.MaxPool1D(pool_size=2, strides=2)(x)


def build_model(input_shape, num_classes):
    inputs = keras.layers.Input(shape=input_shape, name="input")
    x = residual_block(inputs, 16, 2)
    x = residual_block(x, 32, 2)
    x = residual_block(x, 64, 3)
    x = residual_block(x, 128, 3)
    x = keras.layers.AveragePooling1D(pool_size=3, strides=3)(x)
    x = keras.layers.Flatten()(x)
    x = keras.layers.Dense(256, activation="relu")(x)
    x = keras.layers.Dense(128, activation="relu")(x)
    return keras.models.Model(inputs, keras.layers.Dense(num_classes, activation="softmax", name="output")(x))


model = build_model((SAMPLING_RATE // 2, 1), 5)
model.compile(optimizer="Adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
model.fit(train_ds, epochs=100)
