import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.models.load_model("model.keras")
data = tf.data.TFRecordDataset(paths).batch(8)
with strategy.scope():
    data = strategy.experimental_distribute_dataset(data)
model.fit(data)  # want "warning"

options = tf.distribute.InputOptions(experimental_fetch_to_device=False)
more = tf.data.TFRecordDataset(paths).batch(8)
more = strategy.experimental_distribute_dataset(more, options)
model.fit(more)  # want "warning"
listed = strategy.experimental_distribute_dataset([data, more])
model.fit(listed)  # want "warning"
