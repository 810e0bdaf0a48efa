# Keras raises
import keras

inputs = keras.Input((3,))
part = keras.Model(inputs, keras.layers.Dense(4)(inputs))
whole = keras.Sequential([keras.Input((5,)), part])
