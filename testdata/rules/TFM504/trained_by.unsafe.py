# A function trains the model that it is given.
import tensorflow as tf
import gc


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    return model


def train(net, data, epochs=1):
    copy = net
    copy.compile("adam", "mse")
    copy.fit(data, epochs=epochs)
    return copy


def prepare(network):
    run(network)


def run(model):
    model.train_on_batch(x, y)


def look(model):
    model.summary()


for units in [8, 16, 32]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "Every iteration of the loop on line 29 builds another model, and none is freed\."
    model = train(model, data, epochs=3)
for units in [8, 16, 32]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "loop on line 32"
    prepare(network=model)
for units in [8, 16, 32]:
    tf.keras.backend.clear_session()
    gc.collect()
    train(build(units), data)  # want "loop on line 35"
for units in [8, 16, 32]:
    model = build(units)
    look(model)
kept = []
for units in [8, 16, 32]:
    model = build(units)
    kept.append(train(model, data))
for units in [8, 16, 32]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "loop on line 44"
    for repeat in range(5):
        model = train(model, data)
for units in [8, 16, 32]:
    model = build(units)
    for repeat in range(5):
        model = train(model, data)
    kept.append(model)
