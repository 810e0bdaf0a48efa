# device: 24 GiB
"""Trains a classifier."""
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers  # and the rest

tf.keras.mixed_precision.set_global_policy("mixed_float16")

BATCH = 320


def main():
    images, labels = np.zeros((640, 224, 224, 3), "float32"), np.zeros(640)
    model = tf.keras.applications.VGG16(weights=None)
    model.compile(optimizer='adam', loss='sparse_categorical_crossentropy', jit_compile=False)
    model.fit(images, labels, batch_size=BATCH)  # want "information: With mixed_float16 this training needs about [\d.]+ GiB less memory\. It is tight on the GPU: it needs about [\d.]+ GiB, and TensorFlow can use [\d.]+ GiB of a GPU of 24 GiB\. With the policy mixed_float16, which this GPU computes at full speed \(compute capability 8\.6\), it would need about [\d.]+ GiB and fit\.$"


main()
