import numpy as np
from keras import Input, Model, layers

tokens = Input((40, 16))
hidden = layers.Dense(64, activation="relu")(tokens)
scores = layers.Reshape((40, 3000))(layers.Dense(3000, activation="softmax")(hidden))
model = Model(tokens, scores)
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(np.zeros((256, 40, 16), "float32"), np.zeros((256, 40), "int64"), batch_size=32)
