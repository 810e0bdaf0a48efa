"""After keras.io's "Sequence to sequence learning for performing number addition"."""
# device: 888 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")

DIGITS, CHARACTERS = 12, 12
MAXLEN = DIGITS + 1 + DIGITS
x_train = np.zeros((1024, MAXLEN, CHARACTERS), dtype=bool)
y_train = np.zeros((1024, DIGITS + 1, CHARACTERS), dtype=bool)

num_layers = 1
model = keras.Sequential()
model.add(layers.Input((MAXLEN, CHARACTERS)))
model.add(layers.LSTM(128, use_cudnn=False))
model.add(layers.RepeatVector(DIGITS + 1))
for _ in range(num_layers):
    model.add(layers.LSTM(128, return_sequences=True, use_cudnn=False))
model.add(layers.Dense(CHARACTERS, activation="softmax", dtype="float32"))
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"], jit_compile=False)

for epoch in range(1, 30):
    model.fit(x_train, y_train, batch_size=496, epochs=1)
