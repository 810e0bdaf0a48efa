# Keras raises
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((8, 8, 3)), keras.layers.Conv2D(3, 3)])
loss = keras.losses.MeanSquaredError()
optimizer = keras.optimizers.Adam()


@tf.function
def train_step(images):
    with tf.GradientTape() as tape:
        value = loss(images, model(images))
    optimizer.apply_gradients(zip(tape.gradient(value, model.trainable_variables), model.trainable_variables))


for images in tf.data.Dataset.from_tensor_slices(tf.zeros([64, 8, 8, 3])).batch(16):
    train_step(images)
