import tensorflow as tf


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(x, y)


if __name__ == "__main__":
    print(tf.config.list_logical_devices("GPU"))
    train()  # <- here not "takes the GPU's memory itself, on line 10"
