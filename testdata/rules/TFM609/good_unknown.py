# job: --gres=gpu:a100:1
# What the second training needs is not known.
import numpy as np
from tensorflow import keras
from mine import load

model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((600, 784), "float32"), np.zeros(600), batch_size=128)
load("model").fit(np.zeros((600, 784)), np.zeros(600))
