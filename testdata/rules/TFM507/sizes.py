# The shape of a weight, tf.shape and the other axes of a batch are known in a compiled step.
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.kernel = self.add_weight(shape=[4, 4])

    def call(self, inputs):
        rows = tf.shape(inputs)[0]
        if inputs.shape[0] is None:
            tf.print("rows", rows)
        steps = [inputs[:, i] * self.kernel.shape[0] for i in range(inputs.shape[1])]
        return tf.reshape(tf.stack(steps, axis=1), [rows, -1])


model = Net()
model.compile("adam", "mse", run_eagerly=True)  # want "With run_eagerly=True each training step runs eagerly"
model.train_on_batch(x, y)
