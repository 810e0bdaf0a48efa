import numpy as np
import tensorflow as tf

model = tf.keras.applications.ResNet50()
for picture in pictures:
    one = model.predict(picture.reshape(1, *picture.shape))  # want "hint"
    two = model.predict(np.reshape(picture, (1, *picture.shape)))  # want "hint"
    three = model.predict(picture.reshape((1,) + picture.shape))  # want "hint"
    four = model.predict(picture.reshape(-1, *picture.shape[1:]))
    five = model.predict(picture.reshape((8,) + picture.shape))
