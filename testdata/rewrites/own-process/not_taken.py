import tensorflow as tf


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(x, y)


if __name__ == "__main__":
    print(tf.config.list_logical_devices("GPU"))
    train()  # <- here not "this process uses the GPU itself, on line 10, and leaves no memory for another"
