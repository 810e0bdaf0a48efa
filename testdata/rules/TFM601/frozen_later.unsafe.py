# device: 24 GiB
from tensorflow import keras

base = keras.applications.ResNet50(weights=None, include_top=False, pooling="avg", input_shape=(224, 224, 3))
inputs = keras.Input((224, 224, 3))
model = keras.Model(inputs, keras.layers.Dense(10)(base(inputs)))
model.compile("adam", "mse")
model.fit(x, y, batch_size=232)  # want "A batch of 512 will not fit the GPU\."
base.trainable = False
model.compile("adam", "mse")
model.fit(x, y, batch_size=64)
