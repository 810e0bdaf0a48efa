# Keras raises
import keras

model = keras.Sequential([keras.Input(()), keras.layers.Dense(3)])
model.compile("sgd", "mse")
