# Keras runs
from tensorflow import keras

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3, kernel_initializer="uniform", bias_initializer="he_normal")])
