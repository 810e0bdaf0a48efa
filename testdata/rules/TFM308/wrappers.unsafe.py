# Functions and objects that do nothing but predict, called in a loop.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("m.keras")


class Predictor:
    def __init__(self, model):
        self.model = model

    def __call__(self, x):
        return self.model.predict_on_batch(x)  # want "one example at a time in the loop on line 32"

    def run(self, x):
        return self.model.predict_on_batch(np.expand_dims(x, 0))  # want "one example at a time in the loop on line 34"

    def batch(self, x):
        return self.model.predict(x)


def predict_with(net, x):
    return net.predict_on_batch(x)  # want "one example at a time in the loop on line 36"


def classify(x):
    return predict_with(model, x)


predictor = Predictor(model)
own = lambda x: model.predict_on_batch(x)  # want "one example at a time in the loop on line 38"
for image in images:
    predictor(image[None])
for image in images:
    predictor.run(image)
for image in images:
    classify(image[None])
for image in images:
    own(image[None])
for images in batches:
    predictor.batch(images)
