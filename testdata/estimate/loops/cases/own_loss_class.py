"""A loss class of the program's own, called by keywords in an eager loop, beside a class with __call__ and a sum of the model's losses."""

import tensorflow as tf
from tensorflow import keras


class Charbonnier(keras.losses.Loss):
    def __init__(self, epsilon=1e-3):
        super().__init__()
        self.epsilon = epsilon

    def call(self, y_true, y_pred):
        return tf.reduce_mean(tf.sqrt(tf.square(y_true - y_pred) + self.epsilon**2), axis=-1)


class Scales:
    def __call__(self, y_true, y_pred):
        return tf.reduce_sum([tf.reduce_mean(tf.abs(a - b)) for a, b in zip(y_true, y_pred)])


image = keras.Input((64, 64, 3))
x = keras.layers.Conv2D(32, 3, padding="same", activation="relu")(image)
x = keras.layers.Conv2D(32, 3, padding="same", activation="relu", kernel_regularizer="l2")(x)
small = keras.layers.Conv2D(3, 3, strides=2, padding="same")(x)
model = keras.Model(image, [keras.layers.Conv2D(3, 3, padding="same")(x), small])
optimizer = keras.optimizers.Adam(1e-4)
charbonnier, scales = Charbonnier(), Scales()


@tf.function
def train_step(images, halves):
    with tf.GradientTape() as tape:
        large, small = model(images, training=True)
        loss = charbonnier(y_true=images, y_pred=large) + scales(y_true=[images, halves], y_pred=[large, small])
        loss += tf.reduce_sum(model.losses)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(grads_and_vars=zip(gradients, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((tf.zeros((320, 64, 64, 3)), tf.zeros((320, 32, 32, 3)))).batch(16)
for images, halves in data:
    train_step(images, halves)
