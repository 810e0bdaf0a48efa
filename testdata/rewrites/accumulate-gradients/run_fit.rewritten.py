"""Arrays, in the batches of 32 that fit takes unless told otherwise."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)
x = np.random.normal(size=(128, 8)).astype("float32")
y = np.random.normal(size=(128, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(gradient_accumulation_steps=4), loss="mse", metrics=["mae"])
history = model.fit(x, y, epochs=2, shuffle=False, verbose=0, batch_size=8)  # <- here
