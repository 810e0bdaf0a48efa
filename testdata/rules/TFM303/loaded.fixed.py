"""Models that are read from files, whose layers nobody here knows."""
import numpy as np
import keras
from keras.models import load_model
import tensorflow as tf

N, H, W = 45_000, 224, 224
SHAPE = (H, W)
model = keras.models.load_model("classifier.keras")
x = np.zeros((1_000_000, 211, 4), dtype="float32")
with tf.device("/CPU:0"):
    batches = tf.data.Dataset.from_tensor_slices(x).batch(128)
scores = model.predict(batches)  # want "predict\(\) copies its arrays whole to the GPU: 3\.14 GiB"
model.evaluate(x[:100], np.zeros(100))


def score(data, of=None):
    other = load_model("other.h5")
    with tf.device("/CPU:0"):
        batches = tf.data.Dataset.from_tensor_slices(data).batch(32)
    return other.predict(batches)  # want "copies its arrays whole to the GPU: 8\.41 GiB"


score(np.zeros((N,) + SHAPE, np.float32))


class Service:
    def __init__(self):
        self.model = load_model("service.keras")

    def check(self, samples, labels):
        with tf.device("/CPU:0"):
            test_data = tf.data.Dataset.from_tensor_slices((samples, labels)).batch(32)
        return self.model.evaluate(test_data, verbose=0)  # want "evaluate\(\) copies its arrays whole to the GPU: 763 MiB"


Service().check(np.ones((200_000, 1000), "float32"), np.ones((200_000,), "uint8"))
