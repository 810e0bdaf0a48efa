"""Vocabularies that the program itself lists."""

import keras
import tensorflow as tf
from keras import layers

CHARACTERS = [c for c in "abcdefghijklmnopqrstuvwxyz'?! "]
to_number = layers.StringLookup(vocabulary=CHARACTERS, oov_token="")
to_character = layers.StringLookup(vocabulary=to_number.get_vocabulary(), oov_token="", invert=True)
masked = layers.StringLookup(vocabulary=["red", "green", "blue"], mask_token="", num_oov_indices=2)
ages = layers.IntegerLookup(vocabulary=[10, 20, 30])
text = layers.TextVectorization(vocabulary=["the", "cat", "sat"])

frames = keras.Input((None, 96))
x = layers.Bidirectional(layers.GRU(32, return_sequences=True))(frames)
transcriber = keras.Model(frames, layers.Dense(to_number.vocabulary_size() + 1, activation="softmax")(x))
characters = keras.Model(frames, layers.Dense(len(to_character.get_vocabulary()))(x))

colour = keras.Input((1,), dtype="int64")
embedded = keras.Model(colour, layers.Embedding(masked.vocabulary_size(), 5)(colour))
aged = keras.Model(colour, layers.Embedding(ages.vocabulary_size(), 7)(colour))
told = keras.Model(colour, layers.Embedding(text.vocabulary_size(), 9)(colour))
