import numpy as np
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
x_train, x_test = x_train[..., np.newaxis] / 255.0, x_test[..., np.newaxis] / 255.0
model = tf.keras.Sequential([
    tf.keras.layers.Input((28, 28, 1)),
    tf.keras.layers.Conv2D(64, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(x_train, y_train, epochs=100, batch_size=len(x_train))  # want "information: This call takes all 60000 examples as one batch: batch_size is their number\. That is 179 MiB of input as float32, and every layer computes its output for all of them, the largest of 9\.67 GiB\. Choose a smaller batch_size\.$"
everything = x_test.shape[0]
model.predict(x_test, batch_size=everything)  # want "This call takes all 10000 examples as one batch: batch_size is their number\."
model.evaluate(x_test, y_test, batch_size=x_test.shape[0])  # want "all 10000 examples"
