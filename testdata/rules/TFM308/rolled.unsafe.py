# A forecast that is fed back: the window moves on by one step.
import numpy as np
import tensorflow as tf

model = tf.keras.models.load_model("forecast.keras")
window = history[-60:].reshape((1, 60, 1))
for day in range(len(days)):
    forecast = model.predict_on_batch(window)[0]  # want "a single example"
    window = np.append(window[:, 1:, :], [[forecast]], axis=1)
window = history[-60:].reshape((1, 60, 1))
for day in range(365):
    forecast = model.predict_on_batch(window)  # want "a single example"
    window = np.concatenate([window[:, 1:], forecast[:, np.newaxis]], axis=1)
window = history[-60:].reshape((1, 60, 1))
for day in range(365):
    forecast = model.predict_on_batch(window)  # want "a single example"
    window = np.roll(window, -1, axis=1)
    window[0, -1, 0] = forecast
