import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
train = tf.data.TFRecordDataset("train").map(parse).batch(64)
test = tf.data.TFRecordDataset("test").map(parse).batch(64)


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


with strategy.scope():
    model = build()
    model.fit(strategy.experimental_distribute_dataset(train), validation_data=strategy.experimental_distribute_dataset(test))  # want "error: fit\(\) distributes its dataset itself, and this one is already distributed\. It was distributed by strategy\.experimental_distribute_dataset\(\), and Keras 2 raises ValueError: When providing a distributed dataset, you must specify the number of steps to run\. Pass the plain dataset\.$" "error"
distributed_test = strategy.experimental_distribute_dataset(test)
model.evaluate(x=distributed_test)  # want "error: evaluate\(\) distributes its dataset itself, and this one is already distributed\. It was distributed by strategy\.experimental_distribute_dataset\(\) on line [\d.]+, and Keras [\d.]+ raises ValueError: When providing a distributed dataset, you must specify the number of steps to run\. Pass the plain dataset\.$"
model.predict(distributed_test, steps=None)  # want "error: predict\(\) distributes its dataset itself, and this one is already distributed\. It was distributed by strategy\.experimental_distribute_dataset\(\) on line [\d.]+, and Keras [\d.]+ raises ValueError: When providing a distributed dataset, you must specify the number of steps to run\. Pass the plain dataset\.$"
