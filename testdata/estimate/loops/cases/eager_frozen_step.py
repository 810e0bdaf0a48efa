import numpy as np
import tensorflow as tf
import keras
from keras import layers

class Tuned(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x, training=True) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}

inputs = keras.Input((64, 64, 3))
base = keras.Sequential([
    keras.Input((64, 64, 3)),
    *[layers.Conv2D(32, 3, padding="same", activation="relu") for _ in range(6)],
    layers.GlobalAveragePooling2D(),
])
base.trainable = False
model = Tuned(inputs, layers.Dense(1)(base(inputs)))
model.compile("adam", "mse", run_eagerly=True)
model.fit(np.zeros((320, 64, 64, 3), "float32"), np.zeros((320, 1), "float32"), batch_size=32)
