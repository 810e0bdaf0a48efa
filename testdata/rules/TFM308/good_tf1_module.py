"""A module of the program is for TensorFlow 1, whose predict leaves nothing behind."""
import numpy as np
import tensorflow as tf
from keras.models import load_model

config = tf.ConfigProto()
model = load_model("m.h5")
for i in range(1000):
    print(model.predict(np.zeros((1, 4))))
