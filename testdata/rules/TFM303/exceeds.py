# device: 8 GiB
"""The arrays and a step exceed the GPU together, or do not; a model that is not known has no step."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.zeros((9_000, 224, 224, 3), "float32")
y = np.zeros(9_000, "int64")


def build():
    model = keras.Sequential([keras.Input((224, 224, 3)), keras.layers.Conv2D(32, 3, activation="relu"), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(10)])
    model.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
    return model


model = build()
model.fit(x, y, batch_size=8)  # want "information: fit\(\) copies its arrays whole to the GPU: 5\.05 GiB\. They stay there"
model.fit(x, y, batch_size=256)  # want "warning: fit\(\) copies its arrays whole to the GPU: 5\.05 GiB\. With the [\d.]+ GiB that a step needs it is more than the 5\.91 GiB that TensorFlow can use of a GPU of 8 GiB \(named by the case\)\. They stay there"
slices = tf.data.Dataset.from_tensor_slices(np.zeros((12_000, 224, 224, 3), "float32")).batch(8)  # want "warning: from_tensor_slices\(\) copies its arrays whole to the GPU: 6\.73 GiB\. With the [\d.]+ MiB that a step needs it is more than the 5\.91 GiB"
model.evaluate(slices)
loaded = keras.models.load_model("model.keras")
loaded.predict(x)  # want "information: predict\(\) copies its arrays whole to the GPU: 5\.05 GiB\. They"
loaded.predict(np.zeros((12_000, 224, 224, 3), "float32"))  # want "warning: predict\(\) copies its arrays whole to the GPU: 6\.73 GiB\. That is more than the 5\.91 GiB that TensorFlow can use of a GPU of 8 GiB \(named by the case\)\. They"
