import tensorflow as tf

train = tf.data.TFRecordDataset(files).map(parse).batch(256)
model.fit(train, batch_size=ask_the_user())  # want "batch_size is ignored"
model.fit(train, batch_size=32 * strategy.num_replicas_in_sync)  # want "batch_size is ignored"
model.fit(train, batch_size=sizes["train"])  # want "batch_size is ignored"
