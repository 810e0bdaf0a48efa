# One statement chooses the GPU and uses it: no line before it, or after it, will do.
import os

import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

for device in ["0"]:
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"; print(tf.reduce_sum(tf.zeros([2])))  # want "Memory growth is not set"
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.Variable([1.0]))
    tf.keras.Sequential([tf.keras.layers.Dense(1)]).predict([[1.0]])
