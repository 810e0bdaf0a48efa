# device: 2 GiB
from tensorflow import keras

model = keras.applications.VGG19(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=16)  # want "The weights of this model \(548 MiB\) and the state of Adam \(1\.07 GiB\)"
