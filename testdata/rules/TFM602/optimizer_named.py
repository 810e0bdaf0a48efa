# device: 4 GiB
from tensorflow import keras

# Only SGD helps.
x = inputs = keras.Input((4096,))
for _ in range(16):
    x = keras.layers.Dense(4096, activation="gelu")(x)
model = keras.Model(inputs, x)
model.compile("adam", loss="mse")
model.fit(images, labels, batch_size=8)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(1\.00 GiB\) and the state of Adam \(2\.00 GiB\) are 3\.00 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. With SGD, training would need about 1\.00 GiB and perhaps fit\.$"
