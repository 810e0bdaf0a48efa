# device: 8 GiB
from tensorflow import keras

# What both models share is there once: the parts add up to what is kept in all.
inputs = keras.Input((40000,))
encoder = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192)])
one = keras.Model(inputs, keras.layers.Dense(1)(encoder(inputs)))
two = keras.Model(inputs, keras.layers.Dense(2)(encoder(inputs)))
one.compile("adam", "mse")
one.fit(x, y)
two.compile("adam", "mse")
two.fit(x, y)  # want "These models fit the GPU one by one, but not together\. Together they need about [\d.]+ GiB: one keeps 3\.66 GiB, two keeps 2\.44 GiB for weights and the optimizers' state, and the largest step needs another [\d.]+ GiB\. TensorFlow can use [\d.]+ GiB of a GPU of [\d.]+ GiB \(named by the case\)\.$"
