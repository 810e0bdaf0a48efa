"""An autoencoder on images that NumPy has scaled to float64, in a compiled step."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

coder = keras.Sequential([
    keras.Input((32, 32, 3)),
    layers.Conv2D(24, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2D(48, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(24, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])
optimizer = keras.optimizers.Adam()
mse = keras.losses.MeanSquaredError()


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        loss = mse(images, coder(images, training=True))
    gradients = tape.gradient(loss, coder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, coder.trainable_variables))
    return loss


pictures = np.random.randint(0, 256, (2000, 32, 32, 3)).astype("uint8") / 255.0
data = tf.data.Dataset.from_tensor_slices(pictures).shuffle(500).batch(128, drop_remainder=True)
for batch in data:
    train_step(batch)
