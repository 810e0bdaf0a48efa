# What a compiled step sets as an attribute is a symbolic tensor.
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam()

    def step(self, x):  # want "step runs eagerly in every iteration of the loop on line 35\. Move the tape and the update into a function with @tf\.function that returns what it sets as loss, which would be a symbolic tensor otherwise\.$"
        with tf.GradientTape() as tape:
            self.loss = tf.reduce_mean(self.model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(self.loss, self.model.trainable_variables), self.model.trainable_variables))

    def through(self, x):  # want "through runs eagerly in every iteration of the loop on line 35\. Move the tape and the update into a function with @tf\.function that returns what it sets as logits, which"
        with tf.GradientTape() as tape:
            loss = self.loss_of(x)
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables))

    def loss_of(self, x):
        self.logits = self.model(x)
        return tf.reduce_mean(self.logits)

    def inside(self, x):  # want "inside runs eagerly in every iteration of the loop on line 35\. Move the tape and the update into a function with @tf\.function, and leave the rest of inside, which needs Python, outside"
        with tf.GradientTape() as tape:
            self.own = tf.reduce_mean(self.model(x))
        self.optimizer.apply_gradients(zip(tape.gradient(self.own, self.model.trainable_variables), self.model.trainable_variables))


class Loop(Trainer):
    def show(self):
        print(self.loss.numpy(), self.logits.numpy())

    def train(self, dataset):
        for x in dataset:
            self.step(x)
            self.through(x)
            self.inside(x)
            self.show()
