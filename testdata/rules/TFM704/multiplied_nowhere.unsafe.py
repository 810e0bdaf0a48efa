import tensorflow as tf

BATCH_SIZE = 64
strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4)])
    model.compile("adam", "mse")
model.fit(x, y, batch_size=BATCH_SIZE * strategy.num_replicas_in_sync)  # want "Each replica gets a part of this batch"

dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32 * strategy.num_replicas_in_sync)  # want "If 32 is meant for one GPU"
model.fit(dataset)
