import numpy as np
import keras
from keras import layers
model = keras.Sequential([keras.Input((64, 64, 3))])
for f in (32, 64, 128):
    model.add(layers.Conv2D(f, 3, padding="same", activation="relu"))
    model.add(layers.MaxPooling2D())
model.add(layers.Flatten())
model.add(layers.Dense(512, activation="relu"))
model.add(layers.Dense(10))
model.compile(keras.optimizers.Adam(global_clipnorm=1.0), loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((256, 64, 64, 3), "float32"), np.zeros((256,), "int32"), batch_size=32)
