# The tape is handed to a method, or a function, that keeps it.
import tensorflow as tf

tapes = []


class Memory:
    def __init__(self):
        self.tapes = []
        self.losses = []

    def store(self, tape, loss):
        self.tapes.append(tape)  # want "The tape escapes to self\.tapes, and no gradient is computed from it"
        self.losses.append(float(loss))


def remember(kept):
    tapes.append(kept)  # want "The persistent tape escapes to tapes, which is never emptied"


memory = Memory()
for batch in batches:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(batch))
    memory.store(tape, loss)


def step(batch):
    with tf.GradientTape(persistent=True) as tape:
        loss = tf.reduce_mean(model(batch))
    tape.gradient(loss, model.trainable_variables)
    tape.gradient(loss, batch)
    remember(tape)
