from tensorflow import keras

model = keras.applications.ResNet152(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=4096)
