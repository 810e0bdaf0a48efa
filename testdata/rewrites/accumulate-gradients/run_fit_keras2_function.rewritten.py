"""The model is made in a function, of other inputs than one, and its examples are weighted."""
# keras: 2
import numpy as np
from tensorflow import keras
import tensorflow as tf

keras.utils.set_random_seed(12)


def train():
    first, second = keras.Input((4,)), keras.Input((3,))
    hidden = keras.layers.Dense(5, activation="tanh", kernel_regularizer="l2")(keras.layers.Concatenate()([first, second]))
    net = keras.Model([first, second], keras.layers.Dense(1)(hidden))
    net.compile(keras.optimizers.SGD(0.1, momentum=0.9, clipnorm=0.5), loss=keras.losses.MeanSquaredError())

    def train_in_parts(data, net=net):
        # Each batch is taken in four parts, whose gradients are averaged.
        size = tf.shape(tf.nest.flatten(data)[0])[0]
        rows = (size + 3) // 4

        def add_part(start, total):
            part = tf.nest.map_structure(lambda t: t[start:start + rows], data)
            x, y, weights = (*part, None)[:3]
            with tf.GradientTape() as tape:
                predictions = net(x, training=True)
                loss = net.compiled_loss(y, predictions, weights, regularization_losses=net.losses)
            net.compiled_metrics.update_state(y, predictions, weights)
            gradients = tape.gradient(loss, net.trainable_variables)
            share = tf.cast(tf.minimum(rows, size - start), loss.dtype) / tf.cast(size, loss.dtype)
            return start + rows, [t if g is None else t + share * g for t, g in zip(total, gradients)]

        zeros = [tf.zeros_like(v) for v in net.trainable_variables]
        _, gradients = tf.while_loop(lambda start, total: start < size, add_part, (0, zeros), parallel_iterations=1)
        net.optimizer.apply_gradients(zip(gradients, net.trainable_variables))
        return {m.name: m.result() for m in net.metrics}

    net.train_step = train_in_parts
    a, b = np.random.normal(size=(50, 4)).astype("float32"), np.random.normal(size=(50, 3)).astype("float32")
    net.fit([a, b], a[:, :1] * b[:, :1], batch_size=16, epochs=3, sample_weight=np.linspace(0.5, 1.5, 50).astype("float32"), shuffle=False, verbose=0)  # <- here
    return net


model = train()
