# What is kept on self stays the same, or what the functions return may be several examples.
import numpy as np
from tensorflow import keras


class Monitor:
    def __init__(self, model, image):
        self.model = keras.models.load_model(model)
        self.image = np.expand_dims(image, 0)
        self.mean = np.zeros((1, 4))

    def reset(self, image):
        self.image = np.expand_dims(image, 0)

    def watch(self):
        while not self.reached():
            print(self.model.predict(self.image)[0])

    def normalized(self, batches):
        for batch in batches:
            print(self.model.predict(batch - self.mean)[0])

    def all(self, paths, images):
        for path in paths:
            self.image = np.expand_dims(path, 0)
            self.model = keras.models.load_model(path)
            print(self.model.predict(self.image))


def load(path, whole):
    image = np.load(path)
    if whole:
        return image
    return np.expand_dims(image, 0)


def both(path):
    image = np.load(path)
    return image, np.expand_dims(image, 0)


model = keras.models.load_model("model.keras")
for path in open("paths"):
    images, one = both(path)
    model.predict(images)
    model.predict(load(path, len(path) > 3))
monitor = Monitor("model.keras", np.load("x.npy"))
monitor.watch()
monitor.normalized(open("batches"))
monitor.all(open("paths"), images)
