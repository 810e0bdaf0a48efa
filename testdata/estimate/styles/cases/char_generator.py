import numpy as np
from keras.layers import GRU, Dense, TimeDistributed
from keras.models import Sequential

max_id, steps = 1500, 100
X = np.zeros((256, steps, 40), dtype="float32")
y = np.random.randint(0, max_id, size=(256, steps))

model = Sequential([
    GRU(128, return_sequences=True, input_shape=[None, 40]),
    GRU(128, return_sequences=True),
    TimeDistributed(Dense(max_id, activation="softmax")),
])
model.compile(loss="sparse_categorical_crossentropy", optimizer="adam")
model.fit(X, y, batch_size=32, epochs=1)
