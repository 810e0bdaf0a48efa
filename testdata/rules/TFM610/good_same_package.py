import keras
import tensorflow as tf
from tensorflow.keras.layers import Dense

tf.keras.mixed_precision.set_global_policy("mixed_float16")
model = keras.Sequential([keras.Input((32,)), Dense(10)])
