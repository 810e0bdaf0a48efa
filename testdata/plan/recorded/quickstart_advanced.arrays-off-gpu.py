"""After TensorFlow's "TensorFlow 2 quickstart for experts": a step with a tape, on larger pictures."""
# device: 1530 MiB
# keras: 3.15
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, Flatten, Input
from tensorflow.keras.models import Sequential

x_train = np.zeros((40_000, 64, 64, 1), "float32")
y_train = np.zeros((40_000,), "int64")
with tf.device("/CPU:0"):
    train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(1000).batch(64)

model = Sequential([
    Input((64, 64, 1)),
    Conv2D(16, 3, activation="relu"),
    Flatten(),
    Dense(32, activation="relu"),
    Dense(10),
])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(5):
    for images, labels in train_ds:
        train_step(images, labels)
