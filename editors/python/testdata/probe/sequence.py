# A Sequence, which is a PyDataset of Keras 3. Its length is asked as often as without us.
# want: - fit ([16, 30] float32, [16, 2] float32) 7
# want: Batches self.batch_size 16
# want: Batches self.x [100, 30] float32

import math, numpy as np
import tensorflow as tf
class Batches(tf.keras.utils.Sequence):
    def __init__(self, x, y, batch_size):
        super().__init__()
        self.x, self.y, self.batch_size = x, y, batch_size
    def __len__(self):
        print("len asked")
        return math.ceil(len(self.x) / self.batch_size)
    def __getitem__(self, i):
        s = slice(i * self.batch_size, (i + 1) * self.batch_size)
        return self.x[s], self.y[s]
train = Batches(np.zeros((100, 30), "float32"), np.zeros((100, 2), "float32"), 16)
model = tf.keras.Sequential([tf.keras.layers.Dense(7), tf.keras.layers.Dense(2)])
model.compile("adam", "mse")
model.fit(train, epochs=1, verbose=2)
print("after")
