import threading

import tensorflow as tf


class Worker(threading.Thread):
    def __init__(self):
        super().__init__()
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam()

    def run(self):
        for x, y in data:
            self.learn(x, y)

    @tf.function
    def learn(self, x, y):  # want "learn runs eagerly in every iteration of the loop on line 13\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


workers = [Worker() for _ in range(4)]
for worker in workers:
    worker.start()
