# device: 8 GiB
import numpy as np
import tensorflow as tf


def batches(size=48):  # want "A batch of 96 will not fit the GPU\."
    while True:
        yield np.zeros((size, 224, 224, 3), np.float32), np.zeros((size, 1000), np.float32)


class Pictures(tf.keras.utils.Sequence):
    def __init__(self, paths, batch_size=48, dim=(224, 224), n_channels=3):  # want "A batch of 80 probably does not fit the GPU\."
        super().__init__()
        self.paths, self.batch_size, self.dim, self.n_channels = paths, batch_size, dim, n_channels

    def __len__(self):
        return len(self.paths) // self.batch_size

    def __getitem__(self, index):
        x = np.empty((self.batch_size, *self.dim, self.n_channels))
        y = np.empty((self.batch_size,), dtype=int)
        for i, path in enumerate(self.paths[index * self.batch_size:(index + 1) * self.batch_size]):
            x[i,] = np.load(path)
        return x, y


model = tf.keras.applications.DenseNet121(weights=None)
model.compile("adam", "categorical_crossentropy")
model.fit(batches(), steps_per_epoch=100)
model.fit(Pictures(["a.npy"] * 8000))


def unknown():
    for path in open("list.txt"):
        yield load(path)


model.fit(unknown())
