import tensorflow as tf  # role: demonstration, its main guard only shows what it defines


def build(classes):
    inputs = tf.keras.Input((32, 32, 3))
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(classes, 3)(inputs))


def main():
    for classes in [2, 10]:
        build(classes).summary()


if __name__ == "__main__":
    main()
