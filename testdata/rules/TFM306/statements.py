import tensorflow.compat.v1 as tf


def input_fn(is_training, files, size):
    d = tf.data.TFRecordDataset(files)
    if is_training:
        d = d.repeat()
        d = d.shuffle(buffer_size=size)  # want "comes after repeat\(\) on line 7"
    d = d.map(parse)
    return d.batch(32)


def other_fn(files):
    d = tf.data.TFRecordDataset(files).map(parse)
    d = d.padded_batch(
        32,
        padded_shapes=[None])
    d = d.shuffle(buffer_size=10)  # want "comes after padded_batch\(\) on line 15: its buffer holds 10 batches"
    return d.prefetch(1)


def third_fn(files):
    d = tf.data.TFRecordDataset(files).map(parse).batch(8)
    print(d)
    d = d.shuffle(buffer_size=10)  # want "comes after batch\(\) on line 23"
    d = d.map(augment)
    return d
