import numpy as np
import tensorflow as tf
from tqdm import tqdm

model = tf.keras.models.load_model("model.keras")
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)

for images, labels in dataset:
    report(labels, model.predict_on_batch(images))  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 8 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or one predict\(\) for the whole dataset\.$"
for batch in tqdm(dataset):
    report(batch[1], model.predict_on_batch(batch[0]))  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 10 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or one predict\(\) for the whole dataset\.$"
for i, (images, labels) in enumerate(dataset.prefetch(1)):
    if i == 0:
        print(images.shape)
    scores = model.predict_on_batch(tf.cast(images, tf.float32) / 255.0)  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 12 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or one predict\(\) for the whole dataset\.$"
    report(labels, scores)
for example in tf.keras.utils.image_dataset_from_directory("photos", label_mode=None):
    features = example.numpy()
    report(model.predict_on_batch(features))  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 17 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or one predict\(\) for the whole dataset\.$"


def evaluate(data):
    found = []
    for images, labels in data:
        found.append(scores_of(images))
    return np.concatenate(found)


def scores_of(images):
    return model.predict_on_batch(images)  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 24 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or one predict\(\) for the whole dataset\.$"


evaluate(dataset)


class Loader:
    def __init__(self, size, strategy=None):
        self.size = size
        self.strategy = strategy

    def examples(self):
        made = tf.data.Dataset.from_generator(read, output_signature=(tf.TensorSpec((8, 8, 3)), tf.TensorSpec(()))).batch(self.size)
        if self.strategy is not None:
            made = self.strategy.experimental_distribute_dataset(made)
        return made


loaded = iter(Loader(16).examples())
for images, labels in loaded:
    report(labels, model.predict_on_batch(images))  # want "hint: predict\(\) is called for each batch of a dataset in a loop\. Each call in the loop on line 49 builds"
