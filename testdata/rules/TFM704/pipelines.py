import tensorflow as tf

BATCH_SIZE_PER_REPLICA = 64
strategy = tf.distribute.MirroredStrategy(['/gpu:0', '/gpu:1'])


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile('sgd', 'mse')
    return model


with strategy.scope():
    model = build()
rate = tf.data.Dataset.range(10).batch(BATCH_SIZE_PER_REPLICA)
print('Global batch', strategy.num_replicas_in_sync * BATCH_SIZE_PER_REPLICA)
data = tf.data.TFRecordDataset('train')
data = data.map(parse).shuffle(1000)
data = data.batch(BATCH_SIZE_PER_REPLICA).prefetch(tf.data.AUTOTUNE)  # want "information: BATCH_SIZE_PER_REPLICA is meant for one replica, and is used here as the global batch size\. That is what strategy\.num_replicas_in_sync \* BATCH_SIZE_PER_REPLICA on line 16 says; model\.fit\(\) divides each batch among the replicas\.$"
model.fit(data)
model.fit(x, y, batch_size=BATCH_SIZE_PER_REPLICA)  # want "information"
distributed = strategy.experimental_distribute_dataset(tf.data.Dataset.range(100).batch(BATCH_SIZE_PER_REPLICA))  # want "strategy.experimental_distribute_dataset\(\) divides"
