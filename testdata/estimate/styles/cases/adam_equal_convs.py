"""Adam on equal kernels over small maps: normalized convolutions of a subclassed model."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


class Deep(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.convs = [layers.Conv2D(256, 3, padding="same") for _ in range(6)]
        self.norms = [layers.BatchNormalization() for _ in range(6)]
        self.pool = layers.MaxPool2D(2, 2, padding="same")
        self.flatten = layers.Flatten()
        self.hidden = layers.Dense(256, activation="relu")
        self.scores = layers.Dense(10, activation="softmax")

    def call(self, x, training=None):
        for i, (conv, norm) in enumerate(zip(self.convs, self.norms)):
            x = tf.nn.relu(norm(conv(x), training=training))
            if i % 2:
                x = self.pool(x)
        return self.scores(self.hidden(self.flatten(x)))


model = Deep()
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(np.zeros((64, 8, 8, 3), "float32"), np.zeros((64, 1), "int64"), batch_size=16)
