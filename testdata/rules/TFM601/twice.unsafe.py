# device: 8 GiB
from tensorflow import keras

model = keras.applications.VGG16(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=8)
model.fit(x, y, batch_size=24)  # want "A batch of 400 will not fit the GPU\."
