import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
examples = tf.data.Dataset.from_tensor_slices((x, y))
dataset = examples.batch(32)

# A few batches to look at.
for images, labels in dataset.take(3):
    show(model.predict(images))

# One prediction for all, and none of the dataset.
report(model.predict(dataset))
for images, labels in dataset:
    report(model.predict_on_batch(images), model(images))
for images, labels in dataset:
    report(model.predict(everything))

# Not in every iteration.
for i, (images, labels) in enumerate(dataset):
    if i % 100 == 0:
        show(model.predict(images))

# Not known to be batches: an example alone raises.
for images, labels in examples:
    report(model.predict(images))
for images, labels in load():
    report(model.predict(images))
