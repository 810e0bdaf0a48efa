import tensorflow as tf


def configure():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.layers.Dense\(\) on line 10 has initialised"


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


def main():
    model = build()
    configure()
    model.compile("sgd", "mse")


if __name__ == "__main__":
    main()
