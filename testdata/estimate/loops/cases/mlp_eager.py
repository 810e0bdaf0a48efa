"""The loop itself opens the tape, operation by operation."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential(
    [
        tf.keras.layers.Input((512,)),
        tf.keras.layers.Dense(2048, activation="relu"),
        tf.keras.layers.Dense(2048, activation="relu"),
        tf.keras.layers.Dense(10),
    ]
)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
BATCH_SIZE = 128
dataset = tf.data.Dataset.from_tensor_slices((np.zeros((512, 512), "float32"), np.zeros(512, "int32")))
dataset = dataset.batch(BATCH_SIZE)

for epoch in range(2):
    for x, y in dataset:
        with tf.GradientTape() as tape:
            predictions = model(x, training=True)
            loss = loss_fn(y, predictions)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
