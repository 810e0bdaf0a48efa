# device: 8 GiB
from tensorflow import keras

x = inputs = keras.Input((4096,))
for _ in range(48):
    x = keras.layers.Dense(4096, activation="gelu")(x)
model = keras.Model(inputs, x)
model.compile(optimizer=keras.optimizers.SGD(1e-4), loss="mse")
for images, labels in batches:
    model.train_on_batch(images, labels)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(3\.00 GiB\) and the state of AdamW \(6\.00 GiB\) are 9\.00 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 5\.91 GiB of a GPU of 8 GiB \(named by the case\)\. With SGD, a batch of 1 would need about 3\.00 GiB and fit\.$"
