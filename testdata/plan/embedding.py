# device: 4 GiB
# keras: 3.15
# An Embedding's gradients become dense where they are accumulated: its size is priced.
from tensorflow import keras
from tensorflow.keras import layers

BATCH_SIZE = 512

inputs = keras.Input((400,), dtype="int32")
x = layers.Embedding(20000, 128)(inputs)
x = layers.Bidirectional(layers.LSTM(128, return_sequences=True))(x)
x = layers.Bidirectional(layers.LSTM(64))(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
(x_train, y_train), (x_val, y_val) = keras.datasets.imdb.load_data(num_words=20000)
x_train = keras.utils.pad_sequences(x_train, maxlen=400)
x_val = keras.utils.pad_sequences(x_val, maxlen=400)
model.fit(x_train, y_train, batch_size=BATCH_SIZE, epochs=2, validation_data=(x_val, y_val))
