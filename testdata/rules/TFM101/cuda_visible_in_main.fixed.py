import os

import tensorflow as tf


def choose():
    os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"


def main():
    choose()
    print("one GPU")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("sgd", "mse")
    model.fit([[1.0]], [[1.0]])


if __name__ == "__main__":
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

    main()
