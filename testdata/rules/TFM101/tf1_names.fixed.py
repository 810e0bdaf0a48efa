"""Keras of TensorFlow 1: tf.config does not reach its sessions."""
import numpy as np
import tensorflow as tf
from keras.layers import Dense
from keras.models import Sequential
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

tf.set_random_seed(1)
model = Sequential([Dense(8, input_dim=4)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 8)))
