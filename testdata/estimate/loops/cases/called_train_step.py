"""A model with a train_step that the program calls itself, batch by batch, and never fits."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Translator(keras.Model):
    def __init__(self, size):
        super(Translator, self).__init__()
        self.there = self.build_network((size, size, 1))
        self.back = self.build_network((size, size, 1))
        self.prepare()

    def build_network(self, shape):
        picture = keras.Input(shape=shape)
        x = layers.Conv2D(24, 3, padding="same", activation="relu")(picture)
        x = layers.Conv2D(24, 3, padding="same", activation="relu")(x)
        return keras.Model(picture, layers.Conv2D(1, 3, padding="same")(x))

    def prepare(self):
        super(Translator, self).compile()
        self.there_optimizer = keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.back_optimizer = keras.optimizers.Adam(2e-4, beta_1=0.5)
        self.distance = keras.losses.MeanAbsoluteError()

    @tf.function
    def train_step(self, left, right):
        with tf.GradientTape() as there_tape, tf.GradientTape() as back_tape:
            made = self.there(left, training=True)
            there_loss = self.distance(right, made)
            back_loss = self.distance(left, self.back(made, training=True))
        there = there_tape.gradient(there_loss, self.there.trainable_variables)
        back = back_tape.gradient(back_loss, self.back.trainable_variables)
        self.there_optimizer.apply_gradients(zip(there, self.there.trainable_variables))
        self.back_optimizer.apply_gradients(zip(back, self.back.trainable_variables))
        return {"there": there_loss, "back": back_loss}

    def pairs(self):
        for _ in range(64):
            yield tf.random.uniform((96, 96, 1)), tf.random.uniform((96, 96, 1))

    def dataset(self):
        picture = tf.TensorSpec(shape=(96, 96, 1), dtype=tf.float32)
        return tf.data.Dataset.from_generator(self.pairs, output_signature=(picture, picture))


translator = Translator(96)
data = translator.dataset().batch(6).prefetch(tf.data.AUTOTUNE)
for epoch in range(2):
    for x, y in data:
        print(translator.train_step(x, y))
