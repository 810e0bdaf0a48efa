"""A part of the model has a name of its own; and the model is bound in a with statement."""
import gc

import tensorflow as tf
from tensorflow.keras import models

results = []
for fold in range(50):
    autoencoder = encoder = None
    tf.keras.backend.clear_session()
    gc.collect()
    autoencoder = AutoEncoder(fold)  # want "Every iteration of the loop on line 8 builds another model"
    autoencoder.compile("adam", "mse")
    autoencoder.fit(data)
    encoder = autoencoder.encoder
    shape = autoencoder.shape.rank
    results.append(encoder.predict(data))

for path in paths:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    with open(path) as file:
        model = models.model_from_json(file.read())  # want "Every iteration of the loop on line 16 builds another model"
    for data in sets:
        model.compile("adam", "mse")
        model.fit(data)


class AutoEncoder(tf.keras.Model):
    def __init__(self, fold):
        super().__init__()
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(4000), tf.keras.layers.Dense(4000)])

    def call(self, x):
        return self.encoder(x)
