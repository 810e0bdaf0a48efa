# job: --gres=gpu:2 --constraint=skylake
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((784,)), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((600, 784), "float32"), np.zeros(600), batch_size=128)
