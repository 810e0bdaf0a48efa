"""The batch size is a constant of the file, and the optimizer has a name."""
import keras
import numpy as np
import tensorflow as tf

BATCH_SIZE = 50
RATE = 1e-2
keras.utils.set_random_seed(5)
x = np.random.normal(size=(200, 8)).astype("float32")
y = np.random.randint(0, 4, size=200)
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(BATCH_SIZE // 2).prefetch(tf.data.AUTOTUNE)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(4, activation="relu"), keras.layers.Dense(4)])
optimizer = keras.optimizers.AdamW(RATE, weight_decay=0.1, gradient_accumulation_steps=2)
model.compile(optimizer=optimizer, loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(  # <- here
    train,
    epochs=3,
    verbose=0,
)
