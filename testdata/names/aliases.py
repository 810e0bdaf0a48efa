# Names that are bound to other names.
import tensorflow as tf
from tensorflow.keras import layers

config = tf.config.experimental
config.set_memory_growth(1, True)  # name: tensorflow.config.experimental.set_memory_growth
cfg = config
grow = cfg.set_memory_growth
grow(1, True)  # name: tensorflow.config.experimental.set_memory_growth
a = b = tf.data
a.Dataset.range(1)  # name: tensorflow.data.Dataset.range
b.Dataset.range(1)  # name: tensorflow.data.Dataset.range
Layer, (Loss, Metric) = layers.Layer, (tf.keras.losses.Loss, tf.keras.metrics.Metric)
Layer()  # name: tensorflow.keras.layers.Layer
Metric()  # name: tensorflow.keras.metrics.Metric
[first, *rest] = layers.Dense, layers.Conv2D, layers.Flatten
first(1)  # name: tensorflow.keras.layers.Dense
rest(1)  # name: -
x, y = y, x = tf.zeros, tf.ones
x(1)  # name: tensorflow.ones
(z) = tf.zeros
z(1)  # name: tensorflow.zeros
if (n := tf.nn) is not None:
    n.relu(1)  # name: tensorflow.nn.relu
annotated: object = tf.zeros
annotated(1)  # name: tensorflow.zeros
declared: object
declared(1)  # name: -

Conv = getattr(layers, "Conv2D")
Conv(1)  # name: -
table = {"dense": layers.Dense}
table["dense"](1)  # name: -
