"""A compiled step whose model starts with a Dropout over the step's argument."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    keras.Input((2000,)), layers.Dropout(0.2), layers.Dense(128, activation="relu"), layers.Dropout(0.5), layers.Dense(10),
])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((tf.random.normal((20480, 2000)), tf.zeros((20480,), tf.int32))).batch(2048)
for x, y in data:
    train_step(x, y)
