"""What is handed to a function that does not call it for each item, or only for a few."""

import threading

import numpy as np
from tensorflow.keras.models import load_model

model = load_model("model.keras")


def once(path):
    return model.predict(np.load(path)[None])[0]


def few(path):
    return model.predict(np.load(path)[None])[0]


def compared(path):
    return model.predict(np.load(path)[None])[0]


threading.Thread(target=once, args=("x.npy",)).start()
threading.Timer(5.0, once, ("x.npy",)).start()
print(list(map(few, ["a.npy", "b.npy"])))
settings.apply(compared)


@atexit.register
def last():
    model.predict(np.load("x.npy")[None])
