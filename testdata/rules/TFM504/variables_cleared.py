# Nothing says whether Keras 2 or 3 runs it.
import tensorflow as tf

for units in sizes:
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "^hint: Every iteration of the loop on line 4 trains another model whose variables stay\. TensorFlow 2\.15 to 2\.21 keep .* In Keras 2, clear_session\(\) alone frees not even the objects: there, gc\.collect\(\) must follow it\. Train each in a process of its own \(the rewrite own-process\)\.$"
    net.compile("adam", "mse")
    net.fit(x, y)
