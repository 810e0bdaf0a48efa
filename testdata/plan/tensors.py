# device: 3 GiB
# keras: 3.15
# Several statements put tensors on the GPU: all that matter move.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x_train = np.zeros((40000, 64, 64, 3), "float32")
y_train = np.zeros((40000,), "float32")
x_val = np.zeros((10000, 64, 64, 3), "float32")
y_val = np.zeros((10000,), "float32")

train_x = tf.constant(x_train)
train_y = tf.constant(y_train)
val_x = tf.convert_to_tensor(x_val, dtype=tf.float32)
val_y = tf.convert_to_tensor(y_val)

model = keras.Sequential([
    layers.Input((64, 64, 3)),
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse", jit_compile=False)
model.fit(train_x, train_y, batch_size=64, epochs=5, validation_data=(val_x, val_y))
