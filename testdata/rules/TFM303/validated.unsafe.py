import numpy as np
import tensorflow as tf

x = np.random.rand(50_000, 64, 64, 3).astype("float32")
y = np.random.randint(0, 10, 50_000)
x_val, y_val = x[:5_000], y[:5_000]
model = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
history = model.fit(  # want "fit\(\) copies its arrays whole to the GPU: 2\.52 GiB"
    x,
    y,
    batch_size=64,
    epochs=5,
    validation_data=(x_val, y_val),
)
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(len(x)).batch(64)
    validation_batches = tf.data.Dataset.from_tensor_slices((x_val, y_val)).batch(64)
both = model.fit(train_data, epochs=2, callbacks=[], validation_data=validation_batches)  # want "2\.52 GiB"
same = model.fit(x, y,  # want "2\.29 GiB"
                 batch_size=None, epochs=2)
