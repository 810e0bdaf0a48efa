import tensorflow as tf

BATCH_SIZE = 64

train = (
    tf.data.TFRecordDataset(files)
    .map(parse)
    .shuffle(1000)
)


def parse(record):
    return tf.io.parse_single_example(record, features)


model.fit(train)  # want "TFRecordDataset on line 6"
