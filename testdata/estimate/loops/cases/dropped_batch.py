"""A compiled step that drops from its own argument before a dense network reads it."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

FEATURES = 4096
corrupt = layers.Dropout(0.3)
model = keras.Sequential([keras.Input((FEATURES,)), layers.Dense(256, activation="relu"), layers.Dense(FEATURES)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.MeanSquaredError()


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        noisy = corrupt(x, training=True)
        loss = loss_fn(x, model(noisy, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for batch in tf.data.Dataset.from_tensor_slices(tf.random.normal((10240, FEATURES))).batch(1024):
    train_step(batch)
