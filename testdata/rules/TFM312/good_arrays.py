# Arrays and the datasets of their slices leave nothing.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("start.keras")
for part in range(100):
    x, y = np.load(f"x{part}.npy") / 255.0, np.load(f"y{part}.npy")
    model.fit(x, y)
    model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(32))
