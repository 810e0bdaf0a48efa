# TensorFlow 2 has no tensorflow.examples: this is a program for TensorFlow 1, whose Keras builds no dataset.
import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from tensorflow.examples.tutorials.mnist import input_data

images = input_data.read_data_sets("mnist").train.images
model = Sequential([Dense(10, input_shape=(784,))])
model.compile("sgd", "mse")
for image in images:
    model.predict(np.expand_dims(image, 0))
