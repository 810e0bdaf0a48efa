# The step belongs to an object that is handed to another's constructor, or to a function.
import tensorflow as tf


class Stepper:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    def train_step(self, x):  # want "train_step runs eagerly in every iteration of the loop on line 32\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(x, training=True))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


def step_by_hand(x):  # want "step_by_hand runs eagerly in every iteration of the loop on line 38\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


class Trainer:
    def __init__(self, stepper, dataset):
        self.stepper = stepper
        self.dataset = dataset

    def run(self):
        for x in self.dataset:
            self.stepper.train_step(x)


def run(step, dataset):
    for epoch in range(10):
        for x in dataset:
            step(x)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
dataset = tf.data.Dataset.range(1000).batch(10)
Trainer(Stepper(model, optimizer), dataset).run()
run(step_by_hand, dataset)
