# What only looks for GPUs takes them with options of its own. The variable reaches those, too.
import tensorflow as tf
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

if not tf.test.is_gpu_available():  # want "Memory growth is not set"
    print("no GPU")
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
