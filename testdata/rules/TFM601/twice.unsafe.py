# device: 8 GiB
from tensorflow import keras

model = keras.applications.VGG16(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=8)
model.fit(x, y, batch_size=24)  # want "Training with a batch of 400"
