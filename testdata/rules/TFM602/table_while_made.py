# device: 4 GiB
from tensorflow import keras

model = keras.Sequential([
    keras.layers.Input((20,)),
    keras.layers.Embedding(3_000_000, 64),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(1),
])
model.compile(optimizer=keras.optimizers.SGD(), loss="mse")
model.fit(words, scores, batch_size=8)  # want "error: Making the weights of this model does not fit the GPU\. They are 732 MiB, but 2\.15 GiB are in use while their initializers compute the largest\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. The layer \"embedding\" \(Embedding\) has 192000000 of its 192000065 parameters\. It would fit a GPU of 5 GiB\.$"
