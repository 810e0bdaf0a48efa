"""Records whether the layers of models that nothing refers to any more are freed by gc.collect() alone.

    python record_layers.py > layers-VERSION.json

Needs TensorFlow 2, and no GPU. Until 2.3 the symbolic tensors of Keras are tensors of one graph,
which refer to their layers (tensorflow/python/keras/backend.py, get_graph); from 2.4 on they are
KerasTensors, in no graph. `gc` counts, of six models that were fitted and deleted, those whose first
layer is alive after gc.collect(), `cleared` after clear_session() and gc.collect().
"""

import gc
import json
import sys
import weakref

import numpy as np
import tensorflow as tf

MODELS = 6
layers = tf.keras.layers


def sequential():
    return tf.keras.Sequential([layers.Dense(20, input_shape=(10,)), layers.Dense(10)])


def unbuilt():
    return tf.keras.Sequential([layers.Dense(20), layers.Dense(10)])


def functional():
    x = tf.keras.Input((10,))
    return tf.keras.Model(x, layers.Dense(10)(layers.Dense(20)(x)))


class Subclass(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(20)
        self.last = layers.Dense(10)

    def call(self, x):
        return self.last(self.first(x))


def alive(make, clears):
    first = []
    for _ in range(MODELS):
        model = make()
        model.compile("adam", "mse")
        model.fit(np.zeros((8, 10), "float32"), np.zeros((8, 10), "float32"), verbose=0)
        first.append(weakref.ref(model.layers[0]))
        del model
        if clears:
            tf.keras.backend.clear_session()
        gc.collect()
    left = sum(layer() is not None for layer in first)
    tf.keras.backend.clear_session()
    gc.collect()
    return left


table = {make.__name__.lower(): {"gc": alive(make, False), "cleared": alive(make, True)} for make in (sequential, unbuilt, functional, Subclass)}
json.dump(table, sys.stdout)
print()
