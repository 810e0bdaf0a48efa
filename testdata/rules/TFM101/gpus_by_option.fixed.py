import argparse
import os

import tensorflow as tf


def options():
    parser = argparse.ArgumentParser()
    parser.add_argument("--gpu-ids", type=str, default="0,1", dest="devices")
    return parser.parse_args()


def main():
    args = options()
    os.environ["CUDA_VISIBLE_DEVICES"] = args.devices
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"
    model.compile("adam", "mse")
    model.fit(x, y)


if __name__ == "__main__":
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

    main()
