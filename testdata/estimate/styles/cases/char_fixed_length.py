import numpy as np
from keras.layers import LSTM, Dense, Input, TimeDistributed
from keras.models import Model

vocabulary, length = 2000, 60
x = np.zeros((256, length, 64), dtype="float32")
y = np.random.randint(0, vocabulary, size=(256, length))

inputs = Input((length, 64))
hidden = LSTM(96, return_sequences=True)(inputs)
outputs = TimeDistributed(Dense(vocabulary, activation="softmax"))(hidden)
model = Model(inputs, outputs)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=64, epochs=1)
