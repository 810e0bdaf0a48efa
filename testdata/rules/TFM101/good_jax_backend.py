import os

os.environ["KERAS_BACKEND"] = "jax"
import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
