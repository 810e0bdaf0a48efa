# No fix: what the step calls counts, or decides by a value.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


class Meter:
    def __init__(self):
        self.total = 0.0

    def update(self, value):
        self.total += value


meter = Meter()


def counted(x, y):  # want "counted runs eagerly in every iteration of the loop on line 35\. Move the tape and the update into a function with @tf\.function, and leave the rest of counted, which needs Python, outside\.$"
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    meter.update(loss)


def skips(x, y):  # want "skips runs eagerly in every iteration of the loop on line 35\. Move the tape and the update into a function with @tf\.function, and leave the rest of skips, which needs Python, outside\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y)
    if loss > 10.0:
        return
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


for x, y in dataset:
    counted(x, y)
    skips(x, y)
