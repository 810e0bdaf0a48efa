# What is batched first are sequences, which are examples.
import tensorflow as tf

letters = tf.data.Dataset.from_tensor_slices(ids)
sequences = letters.batch(101, drop_remainder=True)
dataset = sequences.map(split)
dataset = dataset.shuffle(10000).batch(64, drop_remainder=True)
model.fit(dataset)
flat = letters.batch(8).unbatch().shuffle(10).batch(2)
model.fit(letters.batch(32).shuffle(100).unbatch())
model.fit(letters.window(5).flat_map(lambda w: w.batch(5)).shuffle(10).batch(2))


def sequences_of(ds):
    return ds.batch(10).shuffle(100)


model.fit(sequences_of(letters).batch(2))
