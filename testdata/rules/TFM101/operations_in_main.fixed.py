# All functions of the file are the script's own.
import tensorflow as tf


def read(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))  # want "Memory growth is not set"


def main():
    for path in paths:
        image = tf.image.resize(read(path), (64, 64))
        tf.io.write_file(path + ".small", tf.io.encode_jpeg(tf.cast(image, tf.uint8)))


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
