# device: 2 GiB
from tensorflow import keras

# The base exceeds the GPU by itself, and is not named beside the model that has it as a layer.
base = keras.applications.ConvNeXtXLarge(weights=None, include_top=False, input_shape=(32, 32, 3), pooling="avg")
inputs = keras.Input((32, 32, 3))
model = keras.Model(inputs, keras.layers.Dense(10)(base(inputs)))  # want "error: The weights of this model do not fit the GPU\. They are 1\.30 GiB\."
model.predict(images, batch_size=1)
