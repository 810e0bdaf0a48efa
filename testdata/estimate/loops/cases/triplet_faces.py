"""Triplet loss on a frozen-stem MobileNetV2, train_step override with a distance layer."""
import numpy as np
import tensorflow as tf
import keras
from keras import layers, metrics, applications

target_shape = (96, 96)
base_cnn = applications.MobileNetV2(weights=None, input_shape=target_shape + (3,), include_top=False)
flatten = layers.Flatten()(base_cnn.output)
dense1 = layers.Dense(256, activation="relu")(flatten)
dense1 = layers.BatchNormalization()(dense1)
output = layers.Dense(128)(dense1)
embedding = keras.Model(base_cnn.input, output, name="Embedding")

trainable = False
for layer in base_cnn.layers:
    if layer.name == "block_13_expand":
        trainable = True
    layer.trainable = trainable


class DistanceLayer(layers.Layer):
    def call(self, anchor, positive, negative):
        ap = tf.reduce_sum(tf.square(anchor - positive), -1)
        an = tf.reduce_sum(tf.square(anchor - negative), -1)
        return ap, an


anchor_input = layers.Input(name="anchor", shape=target_shape + (3,))
positive_input = layers.Input(name="positive", shape=target_shape + (3,))
negative_input = layers.Input(name="negative", shape=target_shape + (3,))
distances = DistanceLayer()(embedding(anchor_input), embedding(positive_input), embedding(negative_input))
siamese_network = keras.Model([anchor_input, positive_input, negative_input], distances)


class SiameseModel(keras.Model):
    def __init__(self, siamese_network, margin=0.5):
        super().__init__()
        self.siamese_network = siamese_network
        self.margin = margin
        self.loss_tracker = metrics.Mean(name="loss")

    def call(self, inputs):
        return self.siamese_network(inputs)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = self._compute_loss(data)
        gradients = tape.gradient(loss, self.siamese_network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.siamese_network.trainable_weights))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    def _compute_loss(self, data):
        ap, an = self.siamese_network(data)
        return tf.maximum(ap - an + self.margin, 0.0)

    @property
    def metrics(self):
        return [self.loss_tracker]


def triplets(n):
    for _ in range(n):
        yield tuple(np.random.rand(*target_shape, 3).astype("float32") for _ in range(3))


spec = tf.TensorSpec(target_shape + (3,), tf.float32)
ds = tf.data.Dataset.from_generator(lambda: triplets(64), output_signature=(spec, spec, spec))
ds = ds.map(lambda a, p, n: ((a, p, n),)).batch(16)
siamese_model = SiameseModel(siamese_network)
siamese_model.compile(optimizer=keras.optimizers.Adam(0.0001))
siamese_model.fit(ds, epochs=1)
