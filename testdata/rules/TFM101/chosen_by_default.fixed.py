# The call leaves the choice to the default.
import os

import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"


def prepare(gpu=True, kind="small"):
    if not gpu:
        os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
    if kind != "small":
        return tf.keras.Sequential([tf.keras.layers.Dense(80, input_shape=(4,))])
    return tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"


model = prepare()
model.compile("adam", "mse")
model.fit(x, y)
