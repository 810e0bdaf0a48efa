"""A loader that extends keras.utils.Sequence, iterated by a loop of the program's own with its length."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SAMPLES, BATCH = 2048, 10


class DataLoader(tf.keras.utils.Sequence):
    def __init__(self, files, batch_size=BATCH):
        super().__init__()
        self.files, self.batch_size = files, batch_size

    def __len__(self):
        return len(self.files) // self.batch_size

    def __getitem__(self, idx):
        paths = self.files[idx * self.batch_size : (idx + 1) * self.batch_size]
        x, y = [], []
        for path in paths:
            x.append(np.zeros((SAMPLES, 1)) + len(path))
            y.append(np.zeros((SAMPLES, 1)))
        return np.array(x, np.float32), np.array(y, np.float32)


def denoiser():
    inputs = layers.Input((SAMPLES, 1))
    a = layers.Conv1D(32, 31, strides=2, padding="same")(inputs)
    b = layers.Conv1D(64, 31, strides=2, padding="same")(layers.PReLU(shared_axes=[1])(a))
    c = layers.Conv1DTranspose(32, 31, strides=2, padding="same")(layers.PReLU(shared_axes=[1])(b))
    c = layers.Concatenate()([c, a])
    return tf.keras.Model(inputs, layers.Conv1DTranspose(1, 31, strides=2, padding="same", activation="tanh")(c))


config = {"EPOCHS": 2, "BATCH_SIZE": BATCH}
loader = DataLoader([f"a{i}.wav" for i in range(40)], config["BATCH_SIZE"])
model = denoiser()


@tf.function
def train_step(clean, noisy):
    with tf.GradientTape() as tape:
        loss = 100 * tf.reduce_mean(tf.abs(model(noisy, training=True) - clean))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


optimizer = tf.keras.optimizers.RMSprop(1e-4)
for epoch in range(config["EPOCHS"]):
    for index, (clean, noisy) in enumerate(loader):
        print(f"{index + 1}/{len(loader)}")
        train_step(tf.convert_to_tensor(clean), tf.convert_to_tensor(noisy))
        if index + 1 == len(loader):
            break
