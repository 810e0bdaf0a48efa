import numpy as np
from keras import Sequential
from keras.layers import (LSTM, Bidirectional, Dense, Dropout, Embedding, InputLayer,
                          SpatialDropout1D, TimeDistributed)
from keras.optimizers import Adam

n_words, n_tags, max_len = 12000, 17, 75
batch_size = 64

X = np.random.randint(0, n_words, size=(320, max_len))
y = np.random.randint(0, n_tags, size=(320, max_len))

model = Sequential()
model.add(InputLayer(shape=(max_len,)))
model.add(Embedding(input_dim=n_words, output_dim=100))
model.add(SpatialDropout1D(0.2))
model.add(Bidirectional(LSTM(100, return_sequences=True, recurrent_dropout=0.1), merge_mode="concat"))
model.add(Bidirectional(LSTM(64, return_sequences=True), merge_mode="sum"))
model.add(Dropout(0.3))
model.add(TimeDistributed(Dense(64, activation="relu")))
model.add(TimeDistributed(Dense(n_tags, activation="softmax")))
model.compile(optimizer=Adam(amsgrad=True), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.summary()
history = model.fit(X, y, batch_size=batch_size, epochs=1, verbose=1)
