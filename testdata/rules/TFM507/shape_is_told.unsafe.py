# Here the pipeline tells the shape.
import tensorflow as tf


def load(path):
    image, label = tf.py_function(read, [path], [tf.float32, tf.float32])
    image.set_shape([64, 64, 3])
    label.set_shape([])
    return image, label


dataset = tf.data.Dataset.from_tensor_slices(paths).map(load).batch(8)
model = tf.keras.Sequential([tf.keras.layers.Conv2D(8, 3), tf.keras.layers.GlobalAveragePooling2D(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")  # want "run_eagerly=True"
model.fit(dataset)
