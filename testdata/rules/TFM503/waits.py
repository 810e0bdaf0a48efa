# It waits between two calls of the function, not between two evaluations.
import time

import tensorflow as tf


def act(model, observation):
    @tf.function  # want "created, and therefore retraced, in every loop iteration"
    def policy(x):
        return model(x)

    return policy(observation)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
while True:
    send(act(model, receive()))
    time.sleep(0.1)
