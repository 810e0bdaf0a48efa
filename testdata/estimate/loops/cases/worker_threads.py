"""Workers that extend Thread train one actor and one critic, as in A3C."""

from threading import Lock, Thread

import tensorflow as tf
from tensorflow import keras


class Net:
    def __init__(self, inputs, outputs):
        self.model = keras.Sequential(
            [
                keras.Input((inputs,)),
                keras.layers.Dense(1024, activation="relu"),
                keras.layers.Dense(1024, activation="relu"),
                keras.layers.Dense(outputs),
            ]
        )
        self.optimizer = keras.optimizers.Adam(5e-4)

    @tf.function
    def train(self, states, targets):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(states, training=True) - targets))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss


class Worker(Thread):
    def __init__(self, net, lock, steps):
        Thread.__init__(self)
        self.net, self.lock, self.steps = net, lock, steps

    def run(self):
        for _ in range(self.steps):
            states = tf.random.normal((512, 128))
            with self.lock:
                self.net.train(states, tf.zeros((512, 1)))


def main():
    net, lock = Net(128, 1), Lock()
    workers = [Worker(net, lock, 10) for _ in range(1)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


main()
