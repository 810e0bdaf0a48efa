# device: 12 GiB
import tensorflow as tf
from tensorflow.keras import layers


def build(width):
    inputs = tf.keras.Input((32768,))
    return tf.keras.Model(inputs, layers.Dense(1)(layers.Dense(width)(inputs)))


def main():
    x, y = load()
    a = build(8192)
    b = build(8192)
    c = build(8192)
    for model in (a, b):
        print(model.name)
    a.compile("adam", "mse", jit_compile=False)
    a.fit(x, y)
    b.compile("adam", "mse", jit_compile=False)
    b.fit(x, y)
    c.compile("adam", "mse", jit_compile=False)
    c.fit(x, y)  # want "warning: These models fit the GPU one by one, but not together\. Together they need about [\d.]+ GiB: a keeps 3\.00 GiB, b keeps 3\.00 GiB, c keeps 3\.00 GiB for weights and the optimizers' state, and the largest step needs another [\d.]+ GiB\. TensorFlow can use 9\.91 GiB of a GPU of 12 GiB \(named by the case\)\.$"


if __name__ == "__main__":
    main()
