"""One predict() for all would use the weights of before the loop."""
import random

import numpy as np
from tensorflow import keras

model = keras.models.load_model("q.keras")
memory = load()


def replay(size):
    for state, action, reward, following in random.sample(memory, size):
        target = model.predict(np.expand_dims(state, 0), verbose=0)  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 12 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\)\.$"
        target[0][action] = reward
        model.fit(np.expand_dims(state, 0), target, verbose=0)


for episode in range(1000):
    replay(32)
