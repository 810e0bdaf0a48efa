import numpy as np
import keras
from keras import layers

inp = keras.Input((32, 32, 3))
x = layers.Conv2D(64, 3, padding="same", activation="relu")(inp)
scores = layers.Conv2D(64, 3, padding="same", name="scores")(x)
ratio = layers.Conv2D(64, 3, padding="same", activation="softplus", name="ratio")(x)
model = keras.Model(inp, [scores, ratio])
model.compile(optimizer="adam", loss={"ratio": "mse", "scores": keras.losses.SparseCategoricalCrossentropy(from_logits=True)})
model.fit(np.zeros((256, 32, 32, 3), "float32"), {"scores": np.zeros((256,32,32), "int32"), "ratio": np.zeros((256,32,32,64), "float32")}, batch_size=64)
