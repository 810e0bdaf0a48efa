"""After keras.io's "Image classification via fine-tuning with EfficientNet", with the smaller MobileNetV2."""
# device: 987 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers
import tensorflow as tf

IMG_SIZE, NUM_CLASSES = 96, 120
images = np.zeros((64, IMG_SIZE, IMG_SIZE, 3), "float32")
labels = np.zeros((64, NUM_CLASSES), "float32")

base_model = keras.applications.MobileNetV2(include_top=False, weights="imagenet", input_shape=(IMG_SIZE, IMG_SIZE, 3))
inputs = layers.Input(shape=(IMG_SIZE, IMG_SIZE, 3))
x = layers.Rescaling(1 / 127.5, offset=-1)(inputs)
x = base_model(x)
x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
x = layers.BatchNormalization()(x)
x = layers.Dropout(0.2, name="top_dropout")(x)
outputs = layers.Dense(NUM_CLASSES, activation="softmax", name="pred")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-4), loss="categorical_crossentropy", metrics=["accuracy"], jit_compile=False)
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((images, labels)).shuffle(len(images)).batch(8)
model.fit(train_data, epochs=4)
