# What the loop calls is the model, by a method of its own.
import tensorflow as tf


class Speech(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(4)

    def call(self, x):
        return self.dense(x)

    @tf.function
    def infer(self, x):
        return self(x)


def main():
    model = Speech()  # want "Memory growth is not set"
    for _ in range(3):
        print(model.infer(tf.random.normal([1, 4])))


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
