"""A classifier of sequences by an LSTM that cuDNN has no kernel for, trained operation by operation."""
import numpy as np
import tensorflow as tf

keras = tf.keras

BATCH_SIZE = 256

model = keras.Sequential([
    keras.Input((24, 40)),
    keras.layers.LSTM(64, use_cudnn=False),
    keras.layers.Dense(12),
])
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam(1e-3)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


sequences = np.random.rand(2560, 24, 40).astype("float32")
labels = np.random.randint(0, 12, 2560).astype("int32")
for x, y in tf.data.Dataset.from_tensor_slices((sequences, labels)).batch(BATCH_SIZE):
    train_step(x, y)
