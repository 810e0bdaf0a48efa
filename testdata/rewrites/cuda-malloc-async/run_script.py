#!/usr/bin/env python
# Copyright
"""A script."""
from __future__ import annotations

import os
import sys
# For the arrays.
import numpy as np
import tensorflow as tf  # <- here

tf.keras.utils.set_random_seed(1)
assert not tf.config.list_physical_devices("GPU"), sys.argv
print(os.environ.get("TF_GPU_ALLOCATOR"))
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(np.ones((8, 4), "float32"), np.ones((8, 1), "float32"), verbose=0)
