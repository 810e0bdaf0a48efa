import numpy as np
import tensorflow as tf


def generate(start):
    model = tf.keras.models.load_model("gpt.keras")
    tokens = list(start)
    while len(tokens) < 1000:
        prediction = model.predict_on_batch(np.array([tokens])); tokens.append(np.argmax(prediction[0, -1]))  # want "loop on line 8"
    return tokens


generate([1])
