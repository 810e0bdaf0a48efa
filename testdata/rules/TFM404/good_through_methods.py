# The method computes the gradient, empties what it keeps, or keeps something else.
import tensorflow as tf


class Memory:
    def __init__(self):
        self.tapes = []
        self.losses = []

    def store(self, tape, loss):
        self.tapes.append(tape)
        if len(self.tapes) > 8:
            self.tapes.clear()

    def learn(self, tape, loss):
        self.losses.append(float(loss))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def used(self, tape, loss):
        self.tapes.append(tape)
        return tape.gradient(loss, model.trainable_variables)

    def swapped(self, loss, tape):
        self.losses.append(loss)


memory = Memory()
for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    memory.store(tape, loss)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    memory.learn(tape, loss)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    memory.used(tape, loss)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    memory.swapped(float(loss), tape)
