# devices: 2
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def elsewhere():
    model.compile("adam", "mse")
    model.fit(x, y)  # <- here not "not built, compiled and trained in one block|not known where"


def never():
    other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    other.fit(x, y)  # <- here not "not known where the model is compiled"


def late():
    other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    other.compile("adam", "mse")
    tf.config.set_visible_devices([], "GPU")
    other.fit(x, y)  # <- here not "configured on line 20"


def loop():
    for x in data:  # <- here not "no call of a Keras model's fit"
        print(x)


def other_scope():
    with scope():
        other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        other.compile("adam", "mse")
        other.fit(x, y)  # <- here not "in the with statement of line 30"


def between():
    other = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    print(other.predict(x))
    other.compile("adam", "mse")
    other.fit(x, y)  # <- here not "a model is used on line 38"
