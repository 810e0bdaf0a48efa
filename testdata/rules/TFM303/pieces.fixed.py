# A table, windows over a series, several parts that are large together, constants inside the call.
import numpy as np
import tensorflow as tf
from tensorflow import keras

series = np.zeros((3_000_000, 64), "float32")
with tf.device("/CPU:0"):
    windows = keras.utils.timeseries_dataset_from_array(series, None, sequence_length=10)  # want "timeseries_dataset_from_array\(\) copies its arrays whole to the GPU: 732 MiB"
parts = {"a": np.zeros((100_000, 1024), "float32"), "b": np.zeros((100_000, 512), "float64")}
with tf.device("/CPU:0"):
    both = tf.data.Dataset.from_tensor_slices((parts, np.zeros(100_000, "int64")))  # want "from_tensor_slices\(\) copies its arrays whole to the GPU: 782 MiB"
one = tf.data.Dataset.from_tensors(tf.constant(parts["a"].astype("float64")))  # want "from_tensors\(\) copies its arrays whole to the GPU: 781 MiB"
few = tf.data.Dataset.from_tensor_slices(parts["a"][:1000])
