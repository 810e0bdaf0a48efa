# Threads read, or the main thread, or nothing reads that has workers at all (tensorflow/tensorflow#35879).
# keras: 2.13
import numpy as np
import tensorflow as tf


class Rows(tf.keras.utils.Sequence):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return np.ones((8, 4)), np.ones((8, 1))


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(Rows(), workers=8, use_multiprocessing=False)
model.fit(Rows(), workers=8)
model.fit(Rows(), workers=0, use_multiprocessing=True)
model.fit(np.ones((80, 4)), np.ones((80, 1)), workers=8, use_multiprocessing=True)
data = tf.data.Dataset.from_tensor_slices((np.ones((80, 4)), np.ones((80, 1)))).batch(8)
model.fit(data, workers=8, use_multiprocessing=True)
