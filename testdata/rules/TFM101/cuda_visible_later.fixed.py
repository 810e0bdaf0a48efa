# Listing the GPUs fixes which ones CUDA shows: the variable is set first.
import os

import tensorflow as tf

from missing import labels

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "2"
tf.random.set_seed(1)

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], labels)
