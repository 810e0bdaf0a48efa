# Lists that the loop makes, that are emptied, or of which it is not known what they keep.
import tensorflow as tf

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)

for batch in dataset:
    own = {"features": []}
    own["features"].append(model(batch))
    given["features"].append(model(batch))


def apply(function, data):
    out = []
    for start in range(0, len(data), 64):
        out.append(function(data[start:start + 64]))
    return out


class Extractor:
    def __init__(self):
        self.model = tf.keras.applications.ResNet50()
        self.outputs = []

    def run(self, data):
        for start in range(0, len(data), 64):
            self.outputs.append(self.model(data[start:start + 64]))
        self.outputs = []
