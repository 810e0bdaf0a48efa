# What compiles once, few times, or leaves no state.
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

x = np.ones((100, 1000), "float32")


def build():
    return tf.keras.Sequential([tf.keras.Input((1000,)), tf.keras.layers.Dense(4000), tf.keras.layers.Dense(1000)])


model = build()
model.compile("adam", "mse")
for epoch in range(100):
    model.optimizer.learning_rate.assign(1e-3 / (epoch + 1))
    model.fit(x, x)

for epoch in range(100):
    model.compile("sgd", "mse")
    model.fit(x, x)

for epoch in range(100):
    model.compile(tf.keras.optimizers.SGD(0.1), "mse")
    model.fit(x, x)

adam = tf.keras.optimizers.Adam()
for epoch in range(100):
    model.compile(adam, "mse")
    model.fit(x, x)

for epoch in range(100):
    if epoch == 50:
        model.compile("adam", "mse")
    model.fit(x, x)

for stage in range(2):
    tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(1)]).compile("adam", "mse")

small = tf.keras.Sequential([tf.keras.Input((10,)), tf.keras.layers.Dense(1)])
for stage in range(100):
    small.compile("adam", "mse")
    small.fit(x[:, :10], x[:, :1])

for stage in range(100):
    model.compile("adam", "mse")
    model.evaluate(x, x)

models = {name: build() for name in ("a", "b")}
for name in models:
    models[name].compile("adam", "mse")
    models[name].fit(x, x)
