import tensorflow as tf

BATCH = 64
strategy = tf.distribute.MirroredStrategy()
GLOBAL = BATCH * strategy.num_replicas_in_sync
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
alone = tf.keras.Sequential([tf.keras.layers.Dense(1)])
alone.compile("sgd", "mse")
data = tf.data.Dataset.range(100)
model.fit(data.batch(GLOBAL))
model.fit(data.batch(BATCH * strategy.num_replicas_in_sync))
model.fit(x, y, GLOBAL)
model.fit(data.batch(32))
# Trained on one device.
alone.fit(data.batch(BATCH))
# Each replica makes its own batches here.
strategy.distribute_datasets_from_function(lambda context: data.batch(BATCH))
area = BATCH * side
model.fit(data.batch(side))
BATCH = GLOBAL
model.fit(data.batch(BATCH))
