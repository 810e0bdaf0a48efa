import tensorflow as tf
from tqdm import tqdm

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)

predictions, labels = [], []
features = []
for i, batch in enumerate(tqdm(dataset)):
    output = model(batch, training=False)
    features.append(output)  # want "information: features keeps the model's output of every loop iteration in GPU memory\. It collects what model returns in the loop on line 9\. Collect NumPy arrays, or reduce the outputs in the loop\.$"


def embed(model: tf.keras.Model, data):
    out = list()
    for start in range(0, len(data), 64):
        out.append(model(data[start:start + 64]))  # want "out keeps the model's output of every loop iteration in GPU memory\."
    return tf.concat(out, axis=0)


vectors = embed(model, images)
