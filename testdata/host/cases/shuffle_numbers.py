"""Shuffles two million pairs of numbers: the tensors around them take more than they do."""
import numpy as np
import tensorflow as tf

dataset = tf.data.Dataset.from_tensor_slices((np.arange(2_000_000), np.arange(2_000_000, dtype="int32"))).shuffle(2_000_000)
for number, label in dataset:
    break
