import os

import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("gpu", "0", "the GPU to use")


def main(argv):
    os.environ["CUDA_VISIBLE_DEVICES"] = FLAGS.gpu
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"
    model.compile("adam", "mse")
    model.fit(x, y)


if __name__ == "__main__":
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

    app.run(main)
