import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")  # want "information: With run_eagerly=True each training step runs eagerly\. Python dispatches every operation separately\. Eager mode is for debugging, and slows training down\.$"
model.compile(optimizer="adam")  # want "run_eagerly=True"
model.compile()  # want "run_eagerly=True"
model.compile("adam",)  # want "run_eagerly=True"
model.compile(
    optimizer="adam",
    loss="mse",
)
model.compile(
    optimizer="adam",  # The usual one.
    )  # want "run_eagerly=True"
model.compile(  # Before the first argument.
    loss="mse")  # want "run_eagerly=True"
model.fit(x, y)


def build():
    net = make_net()
    net.compile(optimizer="adam",
                loss="mse",  # want "run_eagerly=True"
                metrics=["mae"])
    return net


if __name__ == "__main__":
    build().compile(**options)  # want "run_eagerly=True"


class Rate(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs):
        print(self.model.optimizer.learning_rate.numpy())
