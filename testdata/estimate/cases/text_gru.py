import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import GRU, Bidirectional, Dense, Dropout, Embedding, Input

VOCAB = 5000
SEQ_LEN = 80

tokens = Input((SEQ_LEN,), dtype="int64")
h = Embedding(VOCAB, 64)(tokens)
h = Bidirectional(GRU(48, return_sequences=True))(h)
h = GRU(48)(h)
h = Dropout(0.4)(h)
topic = Dense(12, activation="softmax")(h)

classifier = tf.keras.Model(tokens, topic)
classifier.compile(
    loss="sparse_categorical_crossentropy",
    optimizer=tf.keras.optimizers.RMSprop(1e-3),
)
pairs = (np.zeros((128, SEQ_LEN), np.int64), np.zeros((128,), np.int64))
classifier.fit(tf.data.Dataset.from_tensor_slices(pairs).batch(64), epochs=5)
