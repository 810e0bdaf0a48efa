# The batches of a generator function (keras-team/keras#14332).
# keras: 2.3
import numpy as np
from tensorflow import keras


def batches(size):
    while True:
        yield np.random.random((size, 256))


model = keras.Sequential([keras.layers.Dense(128, activation="relu"), keras.layers.Dense(1)])
model.build((None, 256))
model.compile("sgd", "mse")
model.fit_generator(batches(1024), steps_per_epoch=10, workers=3, use_multiprocessing=True)  # want "information: model\.fit_generator\(\) forks 3 workers"
parallel = True
model.fit(batches(64), steps_per_epoch=5, workers=count(), use_multiprocessing=parallel)  # want "information: model\.fit\(\) forks workers after"
