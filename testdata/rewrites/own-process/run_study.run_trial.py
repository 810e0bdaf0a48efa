"""What run_study.ipynb runs in a process of its own."""
import tensorflow as tf


class Doubled(tf.keras.layers.Layer):
    def call(self, inputs):
        return 2 * inputs


def run_trial(rate, units, x):
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.Input((4,)), Doubled(), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile(optimizer=tf.keras.optimizers.SGD(rate), loss="mse")
    model.fit(x, x[:, :1], shuffle=False, verbose=0)
    return model.evaluate(x, x[:, :1], verbose=0)
