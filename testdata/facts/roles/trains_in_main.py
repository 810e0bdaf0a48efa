import tensorflow as tf  # role: script, it runs code of its own


def build(classes):
    inputs = tf.keras.Input((32, 32, 3))
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(classes, 3)(inputs))


if __name__ == "__main__":
    model = build(10)
    model.summary()
    model.compile("sgd", "mse")
    model.fit(x, y)
