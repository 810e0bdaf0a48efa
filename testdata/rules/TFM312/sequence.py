# Another synthetic set for each stage, which the Sequence makes itself (keras-team/keras#16947).
import numpy as np
import tensorflow as tf


class Simulated(tf.keras.utils.Sequence):
    def __init__(self, noise, size=4096):
        super().__init__()
        self.noise = noise
        self.x = np.random.normal(scale=noise, size=(size, 64, 64, 1))
        self.y = np.ones((size, 1))

    def __len__(self):
        return len(self.x) // 32

    def __getitem__(self, i):
        return self.x[i * 32 : i * 32 + 32], self.y[i * 32 : i * 32 + 32]


model = tf.keras.Sequential([tf.keras.Input((64, 64, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for noise in np.linspace(0.1, 1, 40):
    stage = Simulated(noise)
    model.fit(stage)  # want "^information: Each Sequence that fit\(\) takes in the loop on line 22 stays in memory\. Dataset\.from_generator reads it, and TensorFlow keeps its function, with the arrays; del and gc\.collect\(\) do not free it\. Pass the arrays themselves, or make one Sequence before, and put the new arrays into it; clear_session\(\) frees the earlier ones\.$"
    del stage
