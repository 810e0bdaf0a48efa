# Keras raises
import keras

model = keras.Sequential([keras.Input((3, 28, 28)), keras.layers.Conv2D(32, 3), keras.layers.MaxPooling2D(2)])
model.compile("sgd", "mse")
