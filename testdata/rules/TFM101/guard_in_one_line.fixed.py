# There is no room for a loop under the guard.
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def main():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
    model.compile("adam", "mse")
    model.fit(x, y)


if __name__ == "__main__": main()
