from hyperopt import fmin, hp, tpe
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def loss(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(int(units))])  # want "Memory growth is not set"
    model.compile("sgd", "mse")
    return model.fit(x, y).history["loss"][-1]


print(fmin(fn=loss, space=hp.quniform("units", 8, 64, 8), algo=tpe.suggest, max_evals=20))
