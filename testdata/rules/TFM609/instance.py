# job: --gres=gpu:h100:1
# The heaviest of several trainings counts.
import numpy as np
from tensorflow import keras

for units in 8, 4096:
    model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(units), keras.layers.Dense(10)])
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(np.zeros((600, 784), "float32"), np.zeros(600), batch_size=32)
    model.predict(np.zeros((600, 784), "float32"))  # want "A job asks for a GPU with \d+ times .* NVIDIA H100 80GB HBM3 .*; prediction on batches of 32 needs"
