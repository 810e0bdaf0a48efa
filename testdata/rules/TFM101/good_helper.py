import tensorflow as tf


def grow():
    cfg = tf.config.experimental
    for gpu in tf.config.list_physical_devices("GPU"):
        cfg.set_memory_growth(gpu, True)


def main():
    grow()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit([[1.0]], [[1.0]])


if __name__ == "__main__":
    main()
