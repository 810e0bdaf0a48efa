import tensorflow as tf

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)

kept = {"features": [], "labels": []}
for batch in dataset:
    kept["features"].append(model(batch))  # want "kept\[\"features\"\] keeps the model's output of every loop iteration in GPU memory\."

of_each = {"train": {"features": [], "labels": []}, "test": {"features": []}}
for batch in dataset:
    of_each["train"]["features"].append(model(batch))  # want "of_each\[\"train\"\]\[\"features\"\] keeps the model's output of every loop iteration in GPU memory\."

by_layer = {layer.name: [] for layer in model.layers}
for batch in dataset:
    by_layer["dense"].append(model(batch))  # want "by_layer\[\"dense\"\] keeps the model's output"


def embed(network, data):
    out = []
    for start in range(0, len(data), 64):
        out.append(network(data[start:start + 64], training=False))  # want "out keeps the model's output of every loop iteration in GPU memory\."
    return tf.concat(out, axis=0)


class Extractor:
    def __init__(self):
        self.model = tf.keras.applications.ResNet50()
        self.outputs = []

    def run(self, data):
        for start in range(0, len(data), 64):
            self.outputs.append(self.model(data[start:start + 64]))  # want "self\.outputs keeps the model's output of every loop iteration in GPU memory\."


class Probe:
    def __init__(self, network):
        self.network = network
        self.outputs = []

    def run(self, data):
        for start in range(0, len(data), 64):
            features = self.network(data[start:start + 64], training=False)
            self.outputs.append(features)  # want "self\.outputs keeps the model's output of every loop iteration in GPU memory\."

    def log(self, data):
        for start in range(0, len(data), 64):
            self.outputs.append(self.network(data[start:start + 64]))
