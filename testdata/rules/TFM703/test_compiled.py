import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MirroredStrategy()


def build(units):
    inputs = keras.Input((8,))
    return keras.Model(inputs, keras.layers.Dense(units)(inputs))


# The network.
model = build(
    units=10,
)
model.summary()
data = tf.data.Dataset.range(100).batch(10)
with strategy.scope():
    model.compile(optimizer="adam", loss="mse")
model.fit(data)


def test_it():
    assert True
