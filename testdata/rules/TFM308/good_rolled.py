# Examples are added, or there may be several.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("forecast.keras")
rows = history[-60:].reshape((1, 60, 1))
for day in range(365):
    forecast = model.predict(rows)
    rows = np.append(rows, forecast, axis=0)
windows = history[-60:].reshape((-1, 60, 1))
for day in range(365):
    forecast = model.predict(windows)
    windows = np.append(windows[:, 1:], forecast, axis=1)
