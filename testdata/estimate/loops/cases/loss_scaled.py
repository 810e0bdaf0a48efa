"""Half precision by hand: the loss is scaled, the gradients are not, and none that overflowed is applied."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy("mixed_float16")

BATCH_SIZE = 128

inputs = keras.Input((784,))
x = keras.layers.Dense(1024, activation="relu")(inputs)
x = keras.layers.Dense(1024, activation="relu")(x)
outputs = keras.layers.Dense(10, dtype="float32")(x)
model = keras.Model(inputs, outputs)
optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.RMSprop())
loss_object = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 784), "float32"), np.zeros((1024,), "int64"))).batch(BATCH_SIZE)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        predictions = model(x, training=True)
        loss = loss_object(y, predictions)
        scaled = optimizer.scale_loss(loss) if hasattr(optimizer, "scale_loss") else optimizer.get_scaled_loss(loss)
    gradients = tape.gradient(scaled, model.trainable_variables)
    if hasattr(optimizer, "get_unscaled_gradients"):
        gradients = optimizer.get_unscaled_gradients(gradients)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in data:
    train_step(x, y)
