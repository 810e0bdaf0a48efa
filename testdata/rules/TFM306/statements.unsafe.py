import tensorflow.compat.v1 as tf


def input_fn(is_training, files, size):
    d = tf.data.TFRecordDataset(files)
    if is_training:
        d = d.shuffle(buffer_size=size)
        d = d.repeat()  # want "shuffle\(\) comes after repeat\(\), so it mixes one epoch with the next\. repeat\(\) is on line 7; some examples are seen twice before others are seen once\. Shuffle first\.$"
    d = d.map(parse)
    return d.batch(32)


def other_fn(files):
    d = tf.data.TFRecordDataset(files).map(parse)
    d = d.shuffle(buffer_size=10)
    d = d.padded_batch(
        32,
        padded_shapes=[None])  # want "shuffle\(\) comes after padded_batch\(\), so it shuffles batches, not examples\. The step before is on line 15; the buffer holds up to 10 batches, and their contents stay the same\. Shuffle first\.$"
    return d.prefetch(1)


def third_fn(files):
    d = tf.data.TFRecordDataset(files).map(parse).batch(8)
    print(d)
    d = d.shuffle(buffer_size=10)  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 23; the buffer holds up to 10 batches, and their contents stay the same\. Shuffle first\.$"
    d = d.map(augment)
    return d
