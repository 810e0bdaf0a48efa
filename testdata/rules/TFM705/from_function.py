import tensorflow as tf


def train(model):
    strategy = tf.distribute.MirroredStrategy()
    model.compile(optimizer="sgd", loss="mse")
    data = strategy.distribute_datasets_from_function(make_dataset)
    model.fit(data, epochs=3); model.summary()  # want "strategy.distribute_datasets_from_function\(\) on line 7"


def load(strategy: tf.distribute.MirroredStrategy, paths):
    return strategy.experimental_distribute_dataset(tf.data.TFRecordDataset(paths).batch(8))


def evaluate(paths):
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.models.load_model("model.keras")
    return model.evaluate(load(strategy, paths))  # want "warning: evaluate\(\) distributes its dataset itself, and this one is already distributed\. It was distributed by load\(\), which is for custom training loops; Keras 2 raises ValueError: When providing a distributed dataset, you must specify the number of steps to run\. Pass the plain dataset\.$"


def unknown_model(model, strategy: tf.distribute.Strategy, data):
    data = strategy.experimental_distribute_dataset(data)
    model.fit(data, epochs=3)  # want "warning"
