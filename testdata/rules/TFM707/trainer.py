# keras: 2.15
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.strategy = tf.distribute.MirroredStrategy()
        with self.strategy.scope():
            self.model = tf.keras.applications.ResNet50(weights=None, classes=10)
            self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy()

    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        gradients = tape.gradient(loss, self.model.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_weights))  # want "This step runs on one GPU"

    def train(self, dataset):
        for x, y in dataset:
            self.step(x, y)


Trainer().train(tf.data.Dataset.from_tensor_slices((tf.zeros((64, 224, 224, 3)), tf.zeros((64,), tf.int64))).batch(8))
