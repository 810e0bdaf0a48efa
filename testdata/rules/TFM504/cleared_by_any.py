# Nothing says whether Keras 2 or 3 runs it.
import tensorflow as tf

for units in sizes:
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "hint: Every iteration of the loop on line 4 builds another model that Keras 2 keeps\. clear_session\(\) on line 5 .* Nothing says whether Keras 2, as before TensorFlow 2\.16, or Keras 3 runs the program\.$"
    net.compile("adam", "mse")
    net.fit(x, y)
