"""A module that is not here prepares the GPUs when it is imported."""
from raise_gpu_limit import *

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")
model.fit(load("x"), load("y"))
