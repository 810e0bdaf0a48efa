# A new iterator for each step.
import tensorflow as tf

numbers = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)
for step in range(1000):
    model.train_on_batch(next(iter(numbers)))  # want "information: next\(iter\(\.\.\.\)\) starts the pipeline again in every iteration of the loop on line 5\."


def train(paths, steps):
    records = tf.data.TFRecordDataset(paths).map(parse).batch(8).repeat()
    done = 0
    while done < steps:
        images, labels = next(iter(records))  # want "loop on line 12"
        train_step(images, labels)
        done += 1


def epochs(paths):
    records = tf.data.TFRecordDataset(paths).batch(8)
    for epoch in range(100):
        for step in range(500):
            train_step(next(iter(records)))  # want "loop on line 21"
