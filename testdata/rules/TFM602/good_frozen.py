# device: 8 GiB
from tensorflow import keras

x = inputs = keras.Input((4096,))
for _ in range(48):
    x = keras.layers.Dense(4096, activation="gelu", trainable=False)(x)
model = keras.Model(inputs, keras.layers.Dense(10)(x))
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=8)
