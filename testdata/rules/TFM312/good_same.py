# One Sequence for all stages, and views of arrays from before.
import numpy as np
import tensorflow as tf


class Stage(tf.keras.utils.Sequence):
    def __init__(self, x):
        super().__init__()
        self.x = x

    def __len__(self):
        return len(self.x) // 32

    def __getitem__(self, i):
        return self.x[i * 32 : i * 32 + 32], self.x[i * 32 : i * 32 + 32]


def rows(x):
    for row in x:
        yield row[None], row[None]


x = np.load("x.npy")
model = tf.keras.models.load_model("start.keras")
stage = Stage(x)
for part in range(100):
    stage.x = np.load(f"x{part}.npy")
    model.fit(stage)
for part in range(100):
    model.fit(Stage(x))
    model.fit(rows(x[part * 100 : part * 100 + 100]))
    model.fit(rows(x.reshape(-1, 8)))
