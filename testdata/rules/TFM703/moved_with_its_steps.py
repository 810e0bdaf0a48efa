import tensorflow as tf


def train(data, units):
    strategy = tf.distribute.MirroredStrategy()
    model = tf.keras.Sequential()  # want "warning: This model .* line 10"
    model.add(tf.keras.layers.Dense(units))
    print("training")
    model.add(tf.keras.layers.Dense(1))
    with strategy.scope():
        model.compile("sgd", "mse")
        model.fit(data)


def read_between(data):
    strategy = tf.distribute.MirroredStrategy()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "warning: This model .* line 19"
    callbacks = [Plot(model)]
    with strategy.scope():
        model.compile("sgd", "mse")
        model.fit(data, callbacks=callbacks)


def one_line(data):
    strategy = tf.distribute.MirroredStrategy()
    model = tf.keras.models.load_model("model.keras")  # want "warning: This model .* line 27"
    with strategy.scope(): model.compile("sgd", "mse")


def long_text(data):
    strategy = tf.distribute.MirroredStrategy()
    model = tf.keras.Sequential(  # want "warning: This model .* line 35"
        name="""a
b""")
    with strategy.scope():
        model.compile("sgd", "mse")
