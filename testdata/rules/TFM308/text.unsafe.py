import numpy as np
import tensorflow as tf


def generate(start):
    model = tf.keras.models.load_model("gpt.keras")
    tokens = list(start)
    while len(tokens) < 1000:
        prediction = model.predict_on_batch(np.array([tokens])); tokens.append(np.argmax(prediction[0, -1]))  # want "loop on line 8"
    return tokens


generate([1])


def fill(prompt):
    model = tf.keras.models.load_model("gpt.keras")
    tokens = prompt + [0] * 500
    for i in range(len(prompt), len(tokens)):
        scores = model.predict_on_batch(np.array([tokens]))[0]  # want "loop on line 19"
        tokens[i] = np.argmax(scores[i - 1])
    return tokens
