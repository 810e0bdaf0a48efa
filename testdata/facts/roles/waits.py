# A loop without an end does not soon end.
import tensorflow as tf  # role: script, it runs code of its own


def build():
    return tf.keras.Sequential([tf.keras.layers.Dense(1)])


if __name__ == "__main__":
    model = build()
    while True:
        model.summary()
