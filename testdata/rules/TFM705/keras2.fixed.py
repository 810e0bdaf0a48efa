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
    model.fit(train, validation_data=test)  # want "error: This dataset was distributed by strategy.experimental_distribute_dataset\(\), and Keras 2 raises ValueError: When .* fit\(\) distributes a plain dataset itself." "error"
distributed_test = test
model.evaluate(x=distributed_test)  # want "error: .* evaluate\(\) distributes"
model.predict(distributed_test, steps=None)  # want "error: .* predict\(\)"
