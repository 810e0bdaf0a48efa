import tensorflow as tf

PER_REPLICA_BATCH = 64
strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=PER_REPLICA_BATCH * strategy.num_replicas_in_sync)  # want "PER_REPLICA_BATCH is meant for one replica, and is used here as the global batch size\. That is what its name says; model\.fit\(\) divides each batch among the replicas\.$"
replica_batch_size = 16
model.fit(x, y, batch_size=replica_batch_size * strategy.num_replicas_in_sync)  # want "replica_batch_size is meant for one replica"


def train(args):
    data = tf.data.TFRecordDataset("train").batch(args.batch_size_per_gpu * strategy.num_replicas_in_sync)  # want "args\.batch_size_per_gpu is meant for one replica, and is used here as the global batch size\."
    model.fit(data)
