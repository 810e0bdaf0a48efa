# One iterator, a dataset of the iteration itself, few iterations, or no dataset.
import tensorflow as tf

numbers = tf.data.Dataset.from_tensor_slices(images).shuffle(1000).batch(32)
batches = iter(numbers.repeat())
for step in range(1000):
    model.train_on_batch(next(batches))

first = next(iter(numbers))

for path in paths:
    part = tf.data.TFRecordDataset(path).batch(8)
    show(next(iter(part)))

for i in range(9):
    show(next(iter(numbers)))

for words in texts:
    print(next(iter(words)))

for part in numbers, others:
    print(next(iter(part)))
