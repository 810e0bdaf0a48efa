# Of files that are read again and again, what is shuffled are their records.
import tensorflow as tf

files = tf.data.Dataset.list_files("*.tfrecord", shuffle=True).repeat()
records = files.interleave(tf.data.TFRecordDataset, cycle_length=4).shuffle(1000).batch(32)
model.fit(records, steps_per_epoch=100)
