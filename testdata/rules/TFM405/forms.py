# Other ways to add to a list.
import numpy as np
import tensorflow as tf

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)
labelled = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)

extended, added, both = [], [], []
for batch in dataset:
    extended.extend([model(batch)])  # want "extended keeps the model's output of every loop iteration in GPU memory\. It collects what model returns in the loop on line 10"
    added += [model(batch)]  # want "added keeps the model's output"
for batch, label in labelled:
    features = model(batch, training=False)
    both += [features, label]  # want "both keeps the model's output"

outputs = [model(batch) for batch in dataset]  # want "outputs keeps the model's output of every loop iteration in GPU memory\."
named = [model(x, training=False) for x, y in labelled if keep(y)]  # want "named keeps the model's output"
joined = tf.concat([model(batch) for batch in dataset], 0)  # want "A list keeps the model's output of every loop iteration in GPU memory\."
rows = np.concatenate([model(images[i:i + 64]) for i in range(0, len(images), 64)])  # want "A list keeps the model's output"
print(outputs[0].shape, len(named), added, both)

# What is small, on the host, or not kept.
arrays = [model(batch).numpy() for batch in dataset]
means = [tf.reduce_mean(model(batch)) for batch in dataset]
total = sum(model(batch) for batch in dataset)
shown = show([model(batch) for batch in dataset])
fixed = [model(images) for _ in range(3)]
pairs = [model(batch) for batch in dataset for other in range(3)]
several = {"a": model(batch) for batch in dataset}
counted = 0
for batch in dataset:
    batched = []
    batched += [model(batch)]
    counted += model(batch)
    arrays.extend(model(batch).numpy())
    arrays.extend(model(batch))
    extended.extend([model(batch).numpy()])


@tf.function
def traced(data):
    return tf.concat([model(data[i:i + 64]) for i in range(0, 640, 64)], 0)
