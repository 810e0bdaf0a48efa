# device: 6 GiB
from tensorflow import keras


def train(model, x, y, batch_size=192, epochs=10):  # want "A batch of 512 will not fit the GPU\."
    model.compile(optimizer="rmsprop", loss="mse")
    model.fit(x, y, batch_size=batch_size, epochs=epochs)


model = keras.Sequential()
model.add(keras.layers.Conv2D(128, 3, input_shape=(128, 128, 3), padding="same"))
model.add(keras.layers.BatchNormalization())
model.add(keras.layers.ReLU())
model.add(keras.layers.Flatten())
model.add(keras.layers.Dense(1))
x, y = load()
train(model, x, y)
