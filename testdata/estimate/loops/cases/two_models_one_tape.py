"""An encoder and a decoder that are no model together, one tape, one optimizer."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers

batch = 16


class Encoder(Model):
    def __init__(self, units):
        super().__init__()
        self.embedding = layers.Embedding(4000, 128)
        self.conv = layers.Conv1D(units, 5, padding="same", activation="relu")
        self.norm = layers.LayerNormalization()

    def call(self, x):
        return self.norm(self.conv(self.embedding(x)))


class Decoder(Model):
    def __init__(self, units):
        super().__init__()
        self.hidden = layers.Dense(units, activation="relu")
        self.out = layers.Dense(4000)

    def call(self, x):
        return self.out(self.hidden(x))


encoder = Encoder(256)
decoder = Decoder(256)
optimizer = tf.keras.optimizers.Adam()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def loss_function(real, pred):
    mask = tf.math.logical_not(tf.math.equal(real, 0))
    loss_ = loss_object(real, pred)
    mask = tf.cast(mask, dtype=loss_.dtype)
    loss_ *= mask
    return tf.reduce_mean(loss_)


@tf.function
def train_step(inp, targ):
    with tf.GradientTape() as tape:
        hidden = encoder(inp)
        predictions = decoder(hidden)
        loss = loss_function(targ, predictions)
    variables = encoder.trainable_variables + decoder.trainable_variables
    gradients = tape.gradient(loss, variables)
    gradients, _ = tf.clip_by_global_norm(gradients, 5.0)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


tokens = np.ones((64, 80), "int32")
dataset = tf.data.Dataset.from_tensor_slices((tokens, tokens)).batch(batch, drop_remainder=True)
for epoch in range(1):
    for inp, targ in dataset:
        train_step(inp, targ)
