import tensorflow as tf


def build(units, classes):
    return tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(classes)])  # want "nearly all"


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    model = build(64, classes=10, dropout=0.5)  # TypeError: it takes no dropout
    model.compile("adam", "mse")
    model.fit(x, y)


def halve(x, amount):
    return x * amount


halve(1)  # TypeError: the amount is missing
print(unknown)  # NameError
