from absl import app
import tensorflow as tf


def main(argv):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.Variable\(\) on line 6"

    v = tf.Variable(1.0)


if __name__ == "__main__":
    app.run(main)
