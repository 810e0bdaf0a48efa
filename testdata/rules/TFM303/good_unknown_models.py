# What has a method fit or predict need not be a model of Keras.
import numpy as np
import tensorflow as tf
from sklearn.ensemble import RandomForestClassifier

x = np.zeros((200_000, 2000), "float32")
forest = RandomForestClassifier()
forest.fit(x, np.zeros(200_000))
forest.predict(x)
make_something().fit(x)
tf.zeros(3)
