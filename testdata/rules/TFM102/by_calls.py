import tensorflow as tf


def configure():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.optimizers.SGD\(\) on line 11 has already initialised"


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    return model


def main():
    model = build()
    configure()
    model.fit([[1.0]], [[1.0]])


if __name__ == "__main__":
    main()
