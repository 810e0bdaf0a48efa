# device: 2 GiB
from tensorflow import keras

model = keras.applications.VGG19(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=16)  # want "Not even a batch of 1 fits\."
