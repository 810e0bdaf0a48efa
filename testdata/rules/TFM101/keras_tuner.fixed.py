"""A tuner builds the model when it is made."""
import keras_tuner
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def build(hp):
    units = hp.Int("units", 32, 128, step=32)
    model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(units)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
    return model


def main():
    tuner = keras_tuner.RandomSearch(build, objective="val_loss", max_trials=5)
    tuner.search(x, y, epochs=10, validation_data=(x_test, y_test))


main()
