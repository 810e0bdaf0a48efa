# It holds names; its batches are read from files.
import numpy as np
import tensorflow as tf


class Files(tf.keras.utils.Sequence):
    def __init__(self, paths, size):
        super().__init__()
        self.paths, self.size = paths, size

    def __len__(self):
        return len(self.paths) // self.size

    def __getitem__(self, i):
        return np.stack([np.load(path) for path in self.paths[i * self.size : (i + 1) * self.size]]), np.zeros((self.size,))


def copies(x):
    for row in x:
        yield np.float32(row)[None], np.zeros((1,))


model = tf.keras.models.load_model("start.keras")
for fold in range(10):
    model.fit(Files([path for i, path in enumerate(paths) if i % 10 != fold], 32), epochs=10)
    model.fit(tf.keras.preprocessing.image.ImageDataGenerator().flow_from_directory(f"fold{fold}"))
    model.fit(copies(np.load(f"x{fold}.npy")))
