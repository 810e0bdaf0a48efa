import tensorflow as tf


def train(model, data, epochs):
    model.compile("adam", "mse")
    model.fit(data, epochs=epochs)  # want "reaches fit\(\) without a batch"


dataset = tf.data.Dataset.from_tensor_slices((a, b))
train(tf.keras.Sequential([tf.keras.layers.Dense(1)]), dataset, epochs=3)
