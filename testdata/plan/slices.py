# device: 2 GiB
# keras: 3.15
# Two datasets copy their arrays whole.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x_train = np.zeros((24000, 64, 64, 3), "float32")
y_train = np.zeros((24000,), "float32")
x_val = np.zeros((8000, 64, 64, 3), "float32")
y_val = np.zeros((8000,), "float32")

train_data = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_data = train_data.shuffle(1000).batch(64)
val_data = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(64)

model = keras.Sequential([
    layers.Input((64, 64, 3)),
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse")
model.fit(train_data, epochs=5, validation_data=val_data)
