import tensorflow as tf
from tensorflow import keras

strategy = tf.distribute.MirroredStrategy()


def build(units):
    inputs = keras.Input((8,))
    return keras.Model(inputs, keras.layers.Dense(units)(inputs))


data = tf.data.Dataset.range(100).batch(10)
with strategy.scope():
    # The network.
    model = build(  # want "warning: This model is built outside the scope of its strategy\. The strategy is on line 18, and the model is compiled inside it: its variables are not on the strategy's devices, and Keras 2 raises ValueError: Variable \(\.\.\.\) was not created in the distribution strategy scope, Keras 3 an AssertionError, or it trains without the strategy\. Build it inside the scope\.$"
        units=10,
    )
    model.summary()
    model.compile(optimizer="adam", loss="mse")
model.fit(data)
