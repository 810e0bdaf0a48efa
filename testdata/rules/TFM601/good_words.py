# device: 12 GiB
# With the fewest words it fits by far, with the most it would not: nobody knows.
from tensorflow.keras.layers import LSTM, Dense, Embedding
from tensorflow.keras.models import Sequential
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.preprocessing.text import Tokenizer

texts = open("texts.txt").read().splitlines()
tokenizer = Tokenizer()
tokenizer.fit_on_texts(texts)
x = pad_sequences(tokenizer.texts_to_sequences(texts), maxlen=100)
model = Sequential([Embedding(len(tokenizer.word_index) + 1, 3000), LSTM(64), Dense(1)])
model.compile("adam", "binary_crossentropy")
model.fit(x, labels, batch_size=256)
