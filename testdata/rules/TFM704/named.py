import tensorflow as tf

PER_REPLICA_BATCH = 64
strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
model.fit(x, y, batch_size=PER_REPLICA_BATCH)  # want "PER_REPLICA_BATCH is meant for one replica, as its name says, and is taken here for all of them: model.fit\(\) divides"


def train(args):
    data = tf.data.TFRecordDataset("train").batch(args.batch_size_per_gpu)  # want "args.batch_size_per_gpu is meant for one replica, as its name says"
    model.fit(data)
