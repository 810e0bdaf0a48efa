"""Only Keras 2 has fit_generator, which TensorFlow 1 has too."""
import tensorflow as tf
from keras.models import Sequential

config = tf.ConfigProto()
sess = tf.compat.v1.Session(config=config)
model = Sequential()
model.fit_generator(batches, steps_per_epoch=3)
