# del takes a name away. The model is in reference cycles, and stays.
import tensorflow as tf
import gc

for units in sizes:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "del on line 8 only takes the name, and nothing here calls clear_session\(\) or gc\.collect\(\)\.$"
    model.compile("adam", "mse")
    model.fit(x, y)
    del model


def run(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
    del model


for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    run(units)  # want "warning: .* del on line 15 only takes the name"

for path in paths:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.models.load_model(path)  # want "information: .* loads another model.* del on line 24"
    print(model.predict(x))
    del model
