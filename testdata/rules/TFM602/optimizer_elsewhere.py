# device: 4 GiB
from tensorflow import keras

# The arguments of another optimizer are not known, and clipping would be lost.
x = inputs = keras.Input((4096,))
for _ in range(11):
    x = keras.layers.Dense(4096, activation="gelu")(x)
model = keras.Model(inputs, x)
model.compile(optimizer=keras.optimizers.Adam(1e-4, beta_1=0.8), loss="mse")
model.fit(images, labels)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(704 MiB\) and the state of Adam \(1\.38 GiB\) are 2\.06 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. With RMSprop, training would need about 1\.46 GiB and be tight\. With SGD, training would need about 717 MiB and perhaps fit\.$"
