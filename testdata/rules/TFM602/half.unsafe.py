# device: 4 GiB
from tensorflow import keras

keras.mixed_precision.set_global_policy("float16")

model = keras.Sequential([keras.layers.Input((4096,))] + [keras.layers.Dense(4096) for _ in range(33)])  # want "error: The weights of this model do not fit the GPU\. They are 2\.06 GiB\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. With the policy float16 they would be 1\.03 GiB, and 1\.09 GiB while they are made\.$"
model.load_weights("large.weights.h5")
model.predict(images)
