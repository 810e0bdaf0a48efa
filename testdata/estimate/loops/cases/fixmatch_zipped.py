"""FixMatch: labelled pictures beside five times as many without labels, in batches that are zipped."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

LABELLED = 8
RATIO = 5


def pictures(count):
    return tf.data.Dataset.from_tensor_slices(np.zeros((count, 32, 32, 3), "float32"))


def flipped(image):
    return tf.image.random_flip_left_right(image)


labels = tf.data.Dataset.from_tensor_slices(np.zeros((80,), "int32"))
labelled = tf.data.Dataset.zip((pictures(80), labels)).shuffle(80).batch(LABELLED, drop_remainder=True)
plain = pictures(400).map(lambda x: (flipped(x), flipped(x) + tf.random.normal((32, 32, 3), stddev=0.1)))
plain = plain.batch(LABELLED * RATIO, drop_remainder=True)
both = tf.data.Dataset.zip((labelled, plain)).prefetch(tf.data.AUTOTUNE)

inputs = x = keras.Input((32, 32, 3))
for width, stride in ((32, 1), (64, 2), (128, 2)):
    x = keras.layers.Conv2D(width, 3, strides=stride, padding="same", use_bias=False)(x)
    x = keras.layers.BatchNormalization()(x)
    x = keras.layers.LeakyReLU(0.1)(x)
x = keras.layers.GlobalAveragePooling2D()(x)
network = keras.Model(inputs, keras.layers.Dense(10)(x))


class FixMatch(keras.Model):
    def __init__(self, network, threshold=0.95):
        super().__init__()
        self.network = network
        self.threshold = threshold
        self.entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")

    def call(self, inputs):
        return self.network(inputs)

    def train_step(self, data):
        (images, labels), (weak, strong) = data
        rows = tf.shape(images)[0]
        with tf.GradientTape() as tape:
            logits = self.network(tf.concat([images, weak, strong], axis=0), training=True)
            of_weak, of_strong = tf.split(logits[rows:], 2)
            sure = tf.stop_gradient(tf.nn.softmax(of_weak))
            mask = tf.cast(tf.reduce_max(sure, axis=-1) >= self.threshold, tf.float32)
            supervised = tf.reduce_mean(self.entropy(labels, logits[:rows]))
            consistent = tf.reduce_mean(mask * self.entropy(tf.argmax(sure, axis=-1), of_strong))
            loss = supervised + consistent
        gradients = tape.gradient(loss, self.network.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_variables))
        return {"loss": loss}


model = FixMatch(network)
model.compile(optimizer=keras.optimizers.SGD(0.03, momentum=0.9, nesterov=True), jit_compile=False)
model.fit(both, epochs=1)
