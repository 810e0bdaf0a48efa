# device: 8 GiB
from tensorflow import keras

# What SGD keeps of a weight is nothing, and the weights fit.
x = inputs = keras.Input((4096,))
for _ in range(48):
    x = keras.layers.Dense(4096, activation="gelu")(x)
model = keras.Model(inputs, x)
model.compile(optimizer=keras.optimizers.SGD(1e-2), loss="mse")
model.fit(images, labels, batch_size=8)
