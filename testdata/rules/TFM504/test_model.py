import tensorflow as tf

for units in sizes:
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")


def test_it():
    assert True
