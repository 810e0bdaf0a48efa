# keras: 2
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)  # <- here not "needs Keras 3, and the project has Keras 2"
