import numpy as np
import tensorflow as tf

x = np.random.rand(50_000, 64, 64, 3).astype("float32")
y = np.random.randint(0, 10, 50_000)
model = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(x, y, 64, 2, shuffle=False)  # want "2\.29 GiB"
model.fit(x, y, validation_split=0.1)  # want "2\.29 GiB"
model.fit({"input": x}, y)  # want "2\.29 GiB"
for _ in range(3):
    model.fit(x, y)  # want "2\.29 GiB"
print(model.evaluate(x, y, verbose=0))  # want "2\.29 GiB"
predictions = model.predict(x / 2)  # want "2\.29 GiB"
predictions = model.predict(x, batch_size=64, verbose=0)  # want "2\.29 GiB"
