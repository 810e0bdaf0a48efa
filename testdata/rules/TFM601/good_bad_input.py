# device: 8 GiB
from tensorflow import keras

model = keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=0)
model.fit(x, y, batch_size=-4)
model.fit(x, y, batch_size="64")
model.fit(x, y, batch_size=None)

wrong = keras.Sequential([keras.layers.Input((8,)), keras.layers.Conv2D(8, 3), keras.layers.Dense(4096)])
wrong.compile("adam", "mse")
wrong.fit(x, y, batch_size=100000)

never = keras.applications.ResNet152(weights=None)
never.compile("adam", "mse")
