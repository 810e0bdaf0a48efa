# No graph of TensorFlow keeps what JAX trains.
import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

for units in sizes:
    keras.backend.clear_session()
    net = keras.Sequential([keras.layers.Dense(units)])
    net.compile("adam", "mse")
    net.fit(x, y)
