"""Two views of each image, compared with all others of the batch, as in SimCLR."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

temperature = 0.1


def get_encoder():
    return keras.Sequential(
        [
            layers.Conv2D(64, 3, strides=2, activation="relu"),
            layers.Conv2D(64, 3, strides=2, activation="relu"),
            layers.Conv2D(64, 3, strides=2, activation="relu"),
            layers.Flatten(),
            layers.Dense(64, activation="relu"),
        ],
        name="encoder",
    )


class ContrastiveModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = get_encoder()
        self.projection_head = keras.Sequential(
            [keras.Input(shape=(64,)), layers.Dense(64, activation="relu"), layers.Dense(64)],
            name="projection_head",
        )

    def contrastive_loss(self, projections_1, projections_2):
        projections_1 = tf.math.l2_normalize(projections_1, axis=1)
        projections_2 = tf.math.l2_normalize(projections_2, axis=1)
        similarities = tf.matmul(projections_1, projections_2, transpose_b=True) / temperature
        batch_size = tf.shape(projections_1)[0]
        contrastive_labels = tf.range(batch_size)
        loss_1_2 = keras.losses.sparse_categorical_crossentropy(
            contrastive_labels, similarities, from_logits=True
        )
        loss_2_1 = keras.losses.sparse_categorical_crossentropy(
            contrastive_labels, tf.transpose(similarities), from_logits=True
        )
        return tf.reduce_mean(loss_1_2 + loss_2_1) / 2

    def train_step(self, data):
        images, _ = data
        augmented_1 = images + tf.random.normal(tf.shape(images), stddev=0.1)
        augmented_2 = images + tf.random.normal(tf.shape(images), stddev=0.1)
        with tf.GradientTape() as tape:
            features_1 = self.encoder(augmented_1, training=True)
            features_2 = self.encoder(augmented_2, training=True)
            projections_1 = self.projection_head(features_1, training=True)
            projections_2 = self.projection_head(features_2, training=True)
            loss = self.contrastive_loss(projections_1, projections_2)
        weights = self.encoder.trainable_weights + self.projection_head.trainable_weights
        gradients = tape.gradient(loss, weights)
        self.optimizer.apply_gradients(zip(gradients, weights))
        return {"loss": loss}


model = ContrastiveModel()
model.compile(optimizer=keras.optimizers.Adam())
images = np.zeros((256, 48, 48, 3), "float32")
labels = np.zeros((256,), "int32")
model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).batch(64), epochs=1)
