import numpy as np
from tensorflow import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
model.compile(optimizer="adam", loss="mse")
with tf.profiler.experimental.Profile("logs"):
    history = model.fit(  # <- here
        np.ones((64, 8), "float32"), np.ones((64, 1), "float32"),
        verbose=0,
    )
