from tensorflow.keras.layers import (
    AveragePooling2D, Conv2D, Dense, Flatten, GlobalMaxPooling2D, InputLayer,
)
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adagrad
import numpy as np

params = {
    "filters": [16, 32, 64],
    "kernel": 3,
    "hidden": [256, 128],
    "batch": 100,
    "lr": 0.01,
}

X = np.zeros((200, 28, 28, 1), dtype=np.float32)
Y = np.zeros(200, dtype=np.uint8)

net = Sequential(name="digits")
net.add(InputLayer((28, 28, 1)))
for i, f in enumerate(params["filters"]):
    net.add(Conv2D(f, params["kernel"], activation="tanh" if i == 0 else "relu",
                   padding="same" if i < 2 else "valid"))
    if i < len(params["filters"]) - 1:
        net.add(AveragePooling2D(2))
net.add(Flatten())
for units in params["hidden"]:
    net.add(Dense(units, activation="selu"))
net.add(Dense(10, activation="softmax"))

net.compile(Adagrad(params["lr"]), "sparse_categorical_crossentropy", metrics=["accuracy"])
net.fit(X, Y, params["batch"], 12)
