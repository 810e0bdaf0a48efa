# The step reads objects of the program by names that the loop rebinds: compiled, it would keep the
# first ones, and as arguments it would be traced for each.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class Layers:
    def __init__(self, image):
        self.image = image

    def masked(self):
        self.mask = tf.ones_like(self.image)
        return self.image * self.mask


def blended(layers):
    return model(layers.masked())


def step(y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(blended(layers) - y)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for x, y in dataset:
    layers = Layers(x)
    step(y)
