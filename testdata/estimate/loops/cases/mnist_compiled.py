"""A training loop written from scratch, its step compiled."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

inputs = keras.Input(shape=(784,), name="digits")
x = keras.layers.Dense(512, activation="relu", name="dense_1")(inputs)
x = keras.layers.Dense(512, activation="relu", name="dense_2")(x)
outputs = keras.layers.Dense(10, name="predictions")(x)
model = keras.Model(inputs=inputs, outputs=outputs)

optimizer = keras.optimizers.SGD(learning_rate=1e-3, momentum=0.9)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()

batch_size = 256
x_train = np.zeros((1024, 784), "float32")
y_train = np.zeros((1024,), "int64")
train_dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train))
train_dataset = train_dataset.shuffle(buffer_size=1024).batch(batch_size)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
    train_acc_metric.update_state(y, logits)
    return loss_value


for epoch in range(1):
    for step, (x_batch_train, y_batch_train) in enumerate(train_dataset):
        loss_value = train_step(x_batch_train, y_batch_train)
    train_acc = train_acc_metric.result()
    train_acc_metric.reset_state()
