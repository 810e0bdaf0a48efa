# The input and the outputs of the layers take little together.
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.fashion_mnist.load_data()
x_test = x_test.reshape((len(x_test), 784)) / 255.0
inputs = tf.keras.Input((784,))
hidden = tf.keras.layers.Dense(256, activation="relu")(inputs)
encoder = tf.keras.Model(inputs, [tf.keras.layers.Dense(2)(hidden), tf.keras.layers.Dense(2)(hidden)])
means, variances = encoder(x_test)
