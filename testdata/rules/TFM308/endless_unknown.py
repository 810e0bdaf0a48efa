# A service in a loop that nothing ends: what it predicts comes from a function that the code does not show.
import time

import numpy as np
from tensorflow import keras

import bus

net = keras.models.load_model("m.h5")


def prepare(x):
    return np.array(x)


def answer():
    running = True
    while running:
        rows = bus.fetch()
        try:
            bus.send(net.predict(rows, verbose=0))  # want "predict\(\) is called again and again in an endless loop\. Each call in the loop on line 18 builds a dataset and its iterator, and leaves memory behind\. Where its input is one batch, use predict_on_batch\(\), or call the model\.$"
        except KeyboardInterrupt:
            break
        time.sleep(1)


def follow():
    while 1:
        inputs = prepare(bus.read())
        net.predict(inputs)  # want "predict\(\) is called again and again in an endless loop"


follow() if bus.reads else answer()



class Monitor:
    def __init__(self, image):
        self.image = np.expand_dims(image, 0)

    def reset(self, image):
        self.image = np.expand_dims(image, 0)

    def watch(self):
        while True:
            print(net.predict(self.image)[0])  # want "again and again in an endless loop\. .* Use predict_on_batch\(\)\.$"


Monitor(np.load("x.npy")).watch()
