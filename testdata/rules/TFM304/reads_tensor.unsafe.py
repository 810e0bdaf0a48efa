# What reads the result must be able to read an array.
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.cifar10.load_data()
model = tf.keras.Sequential([tf.keras.layers.Conv2D(32, 3, input_shape=(32, 32, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
logits = model.predict(x_test)  # want "all 10000 examples as one batch"
print(logits.shape, logits.mean(), tf.argmax(logits, axis=-1))
scores = model(x_train)  # want "all 50000 examples as one batch"
scores.set_shape((50000, 10))
