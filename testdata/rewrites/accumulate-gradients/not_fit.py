import tensorflow as tf
from tensorflow.keras import layers


def build():
    return tf.keras.Sequential([layers.Dense(1)])


def counted(x, y):
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y, steps_per_epoch=10)  # <- here not "steps_per_epoch counts batches"


def unknown_batch(x, y, batch_size):
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y, batch_size=batch_size)  # <- here not "not a number in this file"


def odd(x, y):
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y, batch_size=7)  # <- here not "a batch of 7 cannot be divided"


def twice(x, y):
    model = build()
    model.compile("adam", "mse")
    model.compile("sgd", "mse")
    model.fit(x, y)  # <- here not "compiled twice"


def elsewhere(model, x, y):
    model.fit(x, y)  # <- here not "neither a call of fit"


def accumulates(x, y):
    model = build()
    model.compile(tf.keras.optimizers.Adam(gradient_accumulation_steps=2), "mse")
    model.fit(x, y)  # <- here not "accumulates gradients already"


def old(x, y):
    model = build()
    model.compile(tf.keras.optimizers.Adam(decay=0.1), "mse")
    model.fit(x, y)  # <- here not "the argument decay is of Keras 2"


def dropped(x, y):
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8, drop_remainder=True)
    model = build()
    model.compile("adam", "mse")
    model.fit(data)  # <- here not "drop_remainder drops other examples if batches are smaller"


def taken(x, y):
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8).take(3)
    model = build()
    model.compile("adam", "mse")
    model.fit(data)  # <- here not "counts them"


def total(x, y):
    model = build()
    model.compile("adam", tf.keras.losses.MeanSquaredError(reduction="sum"))
    model.fit(x, y)  # <- here not "a sum over the examples"


def splat(x, y, **options):
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y, **options)  # <- here not "not all written out"


def own(x, y, optimizer):
    model = build()
    model.compile(optimizer, "mse")
    model.fit(x, y)  # <- here not "not one of Keras's that is made in this file"


def scheduled(x, y):
    model = build()
    model.compile(tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 10, 0.5)), "mse")
    model.fit(x, y)  # <- here not "a schedule counts batches"


def averaged(x, y):
    model = build()
    model.compile(tf.keras.optimizers.Adam(use_ema=True), "mse")
    model.fit(x, y)  # <- here not "use_ema counts batches"


class Own(tf.keras.Model):
    def train_step(self, data):
        return {}


def own_step(x, y):
    model = Own()
    model.compile("adam", "mse")
    model.fit(x, y)  # <- here not "a train_step of its own"
