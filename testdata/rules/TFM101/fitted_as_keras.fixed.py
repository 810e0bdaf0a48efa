"""Only a model of Keras is fitted so, whoever built it."""
import tensorflow as tf

for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def train(network, data, validation, epochs):
    network.fit(data, epochs=epochs, validation_data=validation)  # want "Memory growth is not set"


train(*load_all(tf.__version__), 100)
