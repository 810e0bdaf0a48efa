# Steps of their own that pass on what they are given.
import tensorflow as tf
from tensorflow import keras


class Counting(keras.Model):
    def train_step(self, data):
        self.steps.assign_add(1)
        return super().train_step(data)


class Scaled(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred)
        self.optimizer.apply(tape.gradient(loss, self.trainable_weights), self.trainable_weights)
        return {"loss": loss}


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)
        self.rest = keras.Sequential([keras.layers.Dense(2)])

    def call(self, inputs):
        x = tf.cast(inputs, tf.float32) / 255.0
        return self.rest(self.dense(x))


dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
inputs = keras.Input((4,))
Counting(inputs, keras.layers.Dense(1)(inputs)).fit(dataset)  # want "reaches fit\(\) without a batch"
Scaled(inputs, keras.layers.Dense(1)(inputs)).fit(dataset)  # want "reaches fit\(\) without a batch"
Net().fit(dataset)  # want "reaches fit\(\) without a batch"
Counting(inputs, keras.layers.Dense(1)(inputs)).evaluate(dataset)  # want "reaches evaluate\(\) without a batch"


class PerGraph(keras.Model):
    def train_step(self, data):
        nodes, label = data
        return {"loss": self.score(nodes) - label}


both = tf.data.Dataset.from_tensor_slices((features, labels))
PerGraph().fit(both)
Net().fit(both.batch(32))  # want "reaches fit\(\) without a batch"
