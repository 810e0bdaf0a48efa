# Arrays, and a model that is built when its first step is traced.
# want: - fit ([48, 28, 28] float32, [48] int64) 12
# want: - x_train [600, 28, 28] float32
# want: - N 600
# verify: verified: a step on a batch of 8 took
# want: - model Sequential 50890 config

import numpy as np
import tensorflow as tf
N = 600
x_train = np.random.rand(N, 28, 28).astype("float32")
y_train = np.random.randint(0, 10, (N,))
def build(classes):
    return tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(classes)])
model = build(int(y_train.max()) + 1)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
print("before")
model.fit(x_train, y_train, batch_size=48, epochs=2, validation_split=0.1, verbose=2)
print("after")
