import numpy as np
from keras import Input, Model, layers

tokens = Input((40, 16))
hidden = layers.Dense(64, activation="relu")(tokens)
model = Model(tokens, layers.Dense(3000, activation="softmax")(hidden))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(np.zeros((128, 40, 16), "float32"), np.zeros((128, 40, 3000), "float32"), batch_size=32)
