# Each model is in a graph of its own, which the session makes the default one.
import keras
import tensorflow as tf
from keras import backend as K


def rewards(units):
    with tf.compat.v1.Session(graph=tf.Graph()) as session:
        K.set_session(session)
        model = keras.Sequential([keras.layers.Dense(units)])
        model.compile("adam", "mse")
        model.fit(x, y)
        return model.evaluate(x, y)


for units in sizes:
    print(rewards(units))
for units in sizes:
    graph = tf.Graph()
    session = tf.compat.v1.Session("", graph)
    with session:
        model = keras.Sequential([keras.layers.Dense(units)])
        model.compile("adam", "mse")
        model.fit(x, y)
    session.close()
