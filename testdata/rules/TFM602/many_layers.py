# device: 8 GiB
from tensorflow import keras

x = inputs = keras.Input((4096,))
for _ in range(48):
    x = keras.layers.Dense(4096, activation="gelu")(x)
model = keras.Model(inputs, x)
model.compile(optimizer=keras.optimizers.AdamW(1e-4), loss="mse")
for images, labels in batches:
    model.train_on_batch(images, labels)  # want "The weights and optimizer state of this model do not fit the GPU\. The weights \([\d.]+ GiB\) and the state of AdamW \(6\.00 GiB\) are [\d.]+ GiB together, before any data\. TensorFlow can use [\d.]+ GiB of a GPU of [\d.]+ GiB \(named by the case\)\. A smaller batch does not help\.$"
