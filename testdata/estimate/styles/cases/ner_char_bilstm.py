import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Bidirectional, Dense, Dropout, Embedding, SpatialDropout1D, TimeDistributed, Conv1D, GlobalMaxPooling1D, concatenate, Input
from tensorflow.keras.models import Model

MAX_LEN, MAX_LEN_CHAR = 50, 12
n_words, n_chars, n_tags = 10000, 90, 17

word_in = Input(shape=(MAX_LEN,))
emb_word = Embedding(input_dim=n_words + 2, output_dim=64, mask_zero=False)(word_in)

char_in = Input(shape=(MAX_LEN, MAX_LEN_CHAR))
emb_char = TimeDistributed(Embedding(input_dim=n_chars + 2, output_dim=16))(char_in)
char_conv = TimeDistributed(Conv1D(32, 3, padding="same", activation="tanh"))(emb_char)
char_enc = TimeDistributed(GlobalMaxPooling1D())(char_conv)

x = concatenate([emb_word, char_enc])
x = SpatialDropout1D(0.3)(x)
x = Bidirectional(LSTM(units=128, return_sequences=True, recurrent_dropout=0.2))(x)
x = Bidirectional(LSTM(units=64, return_sequences=True), merge_mode="sum")(x)
x = Dropout(0.2)(x)
out = TimeDistributed(Dense(n_tags + 1, activation="softmax"))(x)
model = Model([word_in, char_in], out)
model.compile(optimizer=tf.keras.optimizers.Nadam(learning_rate=2e-3), loss="sparse_categorical_crossentropy",
              metrics=["acc"], weighted_metrics=[])

Xw = np.random.randint(0, n_words, (320, MAX_LEN))
Xc = np.random.randint(0, n_chars, (320, MAX_LEN, MAX_LEN_CHAR))
Y = np.random.randint(0, n_tags, (320, MAX_LEN, 1))
sw = (Xw > 0).astype("float32")
model.fit([Xw, Xc], Y, sample_weight=sw, batch_size=64, epochs=1, validation_split=0.1, verbose=1)
