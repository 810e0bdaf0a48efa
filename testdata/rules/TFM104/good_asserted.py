import sys

import tensorflow as tf


def main():
    gpus = tf.config.list_physical_devices("GPU")
    found = len(gpus)
    if found > 1:
        print("several")
        sys.exit(1)
    if gpus:
        tf.config.experimental.set_memory_growth(gpus[0], True)


if __name__ == "__main__":
    main()
