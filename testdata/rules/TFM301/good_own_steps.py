# Models whose own steps may take single examples, or are of an unknown class.
import tensorflow as tf
from tensorflow import keras
from trainers import Trainer


class PerGraph(keras.Model):
    def train_step(self, data):
        nodes, label = data
        with tf.GradientTape() as tape:
            loss = tf.square(self.score(nodes) - label)
        self.optimizer.minimize(loss, self.trainable_variables, tape=tape)
        return {"loss": loss}

    def test_step(self, data):
        nodes, label = data
        return {"loss": tf.square(self.score(nodes) - label)}

    def predict_step(self, nodes):
        return self.score(nodes)


class PerImage(keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = keras.layers.Dense(2)

    def call(self, image):
        return self.dense(image[None])[0]


class PerPair(PerImage):
    pass


class Functional(keras.Model):
    def train_step(self, data):
        image, label = data
        return super().train_step((tf.expand_dims(image, 0), tf.expand_dims(label, 0)))


dataset = tf.data.Dataset.from_tensor_slices((features, labels))
graph = PerGraph()
graph.compile("adam")
graph.fit(dataset, validation_data=dataset)
graph.evaluate(dataset)
graph.predict(tf.data.Dataset.from_tensor_slices(features))
PerImage().fit(dataset)
PerPair().fit(dataset)
inputs = keras.Input((4,))
Functional(inputs, keras.layers.Dense(1)(inputs)).fit(dataset)
Trainer(graph).fit(dataset)


def train(model):
    model.fit(dataset)


train(graph)

one = PerImage()
for image, label in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(one(image) - label)
    one.optimizer.minimize(loss, one.trainable_variables, tape=tape)

plain = keras.Sequential([keras.layers.Dense(1)])
plain.predict(tf.data.Dataset.from_tensor_slices([batch]))
plain.fit(tf.data.Dataset.from_tensor_slices(([images], [targets])))
plain.predict(tf.data.Dataset.from_tensor_slices([images[i:i + 32] for i in range(0, 320, 32)]))
