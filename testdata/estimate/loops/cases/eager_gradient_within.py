"""A step that nothing compiles, which takes the gradients and applies them while its tape still records."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    keras.Input((40, 40, 3)),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.Conv2D(32, 3, padding="same"),
    layers.LeakyReLU(),
    layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
    layers.Flatten(),
    layers.Dense(10),
])
optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((tf.random.normal((160, 40, 40, 3)), tf.zeros((160,), tf.int32))).batch(32)


def train_step(x, y):
    with tf.GradientTape(persistent=True) as tape:
        loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for images, labels in data:
    train_step(images, labels)
