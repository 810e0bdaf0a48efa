# Keras's own iterators over arrays are Sequences.
import numpy as np
import tensorflow as tf
from sklearn.model_selection import StratifiedKFold

augment = tf.keras.preprocessing.image.ImageDataGenerator(rotation_range=20)
x, y = np.load("x.npy"), np.load("y.npy")
model = tf.keras.models.load_model("start.keras")
for train, rest in StratifiedKFold(5).split(x, y):
    model.fit(augment.flow(x[train], y[train], batch_size=32), epochs=20)  # want "Each Sequence that fit\(\) takes in the loop on line 9 stays"
