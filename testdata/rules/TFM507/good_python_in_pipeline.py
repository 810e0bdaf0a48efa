# Nothing tells the rank of what py_function makes: compiled, the loss would refuse it.
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices(paths).map(lambda path: tf.py_function(read, [path], [tf.float32, tf.float32])).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Conv2D(8, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", run_eagerly=True)
model.fit(dataset)
