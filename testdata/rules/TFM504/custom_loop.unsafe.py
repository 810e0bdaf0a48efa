# Each model is trained by hand.
import tensorflow as tf
import gc


class Net(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)


def train(model, optimizer):
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for units in sizes:
    net = None
    tf.keras.backend.clear_session()
    gc.collect()
    net = Net(units)  # want "loop on line 22"
    train(net, tf.keras.optimizers.Adam())
for seed in range(10):
    model = optimizer = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(seed + 1)])  # want "loop on line 25"
    optimizer = tf.keras.optimizers.Adam()
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
