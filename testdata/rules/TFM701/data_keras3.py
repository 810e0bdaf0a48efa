# In Keras 3 the data itself is given the workers.
# keras: 3.8
import keras
import numpy as np
import tensorflow as tf


class Windows(keras.utils.PyDataset):
    def __init__(self, series, **kwargs):
        super().__init__(**kwargs)
        self.series = series

    def __len__(self):
        return 100

    def __getitem__(self, i):
        return self.series[i : i + 32], self.series[i + 1 : i + 33]


class Spectra(keras.utils.PyDataset):
    def __init__(self, signals):
        super().__init__(workers=2, use_multiprocessing=True)  # want "warning: super\(\)\.__init__\(\) forks 2 workers after .* Spectra\.__getitem__ runs in the copies and calls TensorFlow on line 29, which waits forever"
        self.signals = signals

    def __len__(self):
        return len(self.signals)

    def __getitem__(self, i):
        spectrum = tf.abs(tf.signal.stft(self.signals[i], 256, 128))
        return spectrum[None], np.zeros(1)


model = keras.Sequential([keras.layers.Dense(8), keras.layers.Dense(1)])
model.compile("adam", "mse")
windows = Windows(np.random.rand(200, 8), workers=6, use_multiprocessing=True)  # want "information: Windows\(\) forks 6 workers after"
model.fit(windows, epochs=3)
model.fit(Spectra(SIGNALS), epochs=3)
