# device: 12 GiB
import keras
from keras import layers

features = keras.Input((4096,))
x = features
for _ in range(31):
    x = layers.Dense(4096, dtype=keras.DTypePolicy("float64"))(x)
model = keras.Model(features, layers.Dense(4096, dtype="float64")(x))
model.compile(optimizer="adam", loss="mse")
model.fit(images, labels, batch_size=8)  # want "error: .*In float32, training would need about 6\.07 GiB"
