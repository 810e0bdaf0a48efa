"""A fastText-like classifier: averaged embeddings of hashed n-grams, trained by Adamax."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

BUCKETS = 200_000
WORDS = 40

ngrams = keras.Input((WORDS,), dtype="int32")
x = layers.Embedding(BUCKETS, 50)(ngrams)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(ngrams, layers.Dense(20, activation="softmax")(x))
model.compile(keras.optimizers.Adamax(1e-3), "sparse_categorical_crossentropy", jit_compile=False)
rng = np.random.default_rng(0)
model.fit(rng.integers(0, BUCKETS, (512, WORDS)), rng.integers(0, 20, 512), batch_size=256)
