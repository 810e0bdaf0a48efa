# Steps on single batches.
# want: - predict [6, 10] float32 1
# want: - train_on_batch ([12, 8] float32, [12, 1] float64) 1
# want: - fake [6, 8] float32

import numpy as np, tensorflow as tf
latent = 10
d = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
d.compile("adam", "binary_crossentropy")
g = tf.keras.Sequential([tf.keras.Input((latent,)), tf.keras.layers.Dense(8)])
d.trainable = False
gan = tf.keras.Sequential([g, d]); gan.compile("adam", "binary_crossentropy")
for i in range(3):
    fake = g.predict(np.random.rand(6, latent), verbose=0)
    d.train_on_batch(np.concatenate([fake, fake]), np.zeros((12, 1)))
    gan.train_on_batch(np.random.rand(6, latent), np.ones((6, 1)))
    print("step", flush=True)
print("after")
