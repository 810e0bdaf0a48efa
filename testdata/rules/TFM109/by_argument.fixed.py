import os, sys
import tensorflow as tf


def main(gpu):
    os.environ["CUDA_VISIBLE_DEVICES"] = gpu  # want "tf.keras.applications.ResNet50\(\) on line 6"

    model = tf.keras.applications.ResNet50()
    model.predict(sys.stdin)


main(sys.argv[1])
