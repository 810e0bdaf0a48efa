# device: 4 GiB
from tensorflow import keras

# Half of it does not fit, either.
model = keras.Sequential([keras.layers.Input((4096,))] + [keras.layers.Dense(4096) for _ in range(66)])  # want "error: The weights of this model do not fit the GPU\. They are 4\.13 GiB\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. It would fit a GPU of 7 GiB\.$"
model.predict(images)
