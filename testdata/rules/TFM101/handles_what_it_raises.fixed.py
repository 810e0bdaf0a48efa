import tensorflow as tf


def build(units, classes):
    return tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(classes)])  # want "Memory growth is not set"


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    try:
        model = build(64, classes=10, dropout=0.5)
    except TypeError:
        model = build(64, classes=10)
    model.compile("adam", "mse")
    model.fit(x, y)
