# Functions and objects that do nothing but predict, called in a loop.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("m.keras")


class Predictor:
    def __init__(self, model):
        self.model = model

    def __call__(self, x):
        return self.model.predict_on_batch(x)  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 32 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"

    def run(self, x):
        return self.model.predict_on_batch(np.expand_dims(x, 0))  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 34 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"

    def batch(self, x):
        return self.model.predict(x)


def predict_with(net, x):
    return net.predict_on_batch(x)  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 36 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"


def classify(x):
    return predict_with(model, x)


predictor = Predictor(model)
own = lambda x: model.predict_on_batch(x)  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 38 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"
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
