# Keras runs
import keras
import tensorflow as tf

model = keras.Sequential([keras.layers.Embedding(3, 4)])
model(tf.constant(1))
