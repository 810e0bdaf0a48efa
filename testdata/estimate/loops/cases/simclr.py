"""SimCLR-like: two views, NT-Xent over a similarity matrix, train_step and the project head."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIZE, BATCH, WIDTH, TEMP = 40, 64, 96, 0.1


def get_augmenter():
    return keras.Sequential([
        keras.Input(shape=(SIZE, SIZE, 3)),
        layers.Rescaling(1 / 255),
        layers.RandomFlip("horizontal"),
        layers.GaussianNoise(0.05),
    ], name="augmenter")


def get_encoder():
    m = keras.Sequential(name="encoder")
    m.add(keras.Input(shape=(SIZE, SIZE, 3)))
    for i in range(4):
        m.add(layers.Conv2D(WIDTH // (4 - i) if i < 3 else WIDTH, kernel_size=3, strides=1 if i == 0 else 2,
                            activation="relu", padding="same"))
    m.add(layers.Flatten())
    m.add(layers.Dense(WIDTH, activation="relu"))
    return m


class ContrastiveModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.temperature = TEMP
        self.augmenter = get_augmenter()
        self.encoder = get_encoder()
        self.projection_head = keras.Sequential(
            [keras.Input(shape=(WIDTH,)), layers.Dense(WIDTH, activation="relu"), layers.Dense(WIDTH)], name="head")

    def compile(self, contrastive_optimizer, **kwargs):
        super().compile(**kwargs)
        self.contrastive_optimizer = contrastive_optimizer
        self.contrastive_loss_tracker = keras.metrics.Mean(name="c_loss")

    @property
    def metrics(self):
        return [self.contrastive_loss_tracker]

    def contrastive_loss(self, p1, p2):
        p1 = tf.math.l2_normalize(p1, axis=1)
        p2 = tf.math.l2_normalize(p2, axis=1)
        sim = tf.matmul(p1, p2, transpose_b=True) / self.temperature
        labels = tf.range(tf.shape(p1)[0])
        l12 = keras.losses.sparse_categorical_crossentropy(labels, sim, from_logits=True)
        l21 = keras.losses.sparse_categorical_crossentropy(labels, tf.transpose(sim), from_logits=True)
        return tf.reduce_mean((l12 + l21) / 2)

    def train_step(self, images):
        view1 = self.augmenter(images, training=True)
        view2 = self.augmenter(images, training=True)
        with tf.GradientTape() as tape:
            f1 = self.encoder(view1, training=True)
            f2 = self.encoder(view2, training=True)
            loss = self.contrastive_loss(self.projection_head(f1, training=True), self.projection_head(f2, training=True))
        weights = self.encoder.trainable_weights + self.projection_head.trainable_weights
        grads = tape.gradient(loss, weights)
        self.contrastive_optimizer.apply_gradients(zip(grads, weights))
        self.contrastive_loss_tracker.update_state(loss)
        return {m.name: m.result() for m in self.metrics}


model = ContrastiveModel()
model.compile(contrastive_optimizer=keras.optimizers.Adam())
ds = tf.data.Dataset.from_tensor_slices(tf.random.uniform((256, SIZE, SIZE, 3), 0, 255)).shuffle(256).batch(BATCH)
model.fit(ds, epochs=1)
