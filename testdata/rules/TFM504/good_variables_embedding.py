"""TensorFlow keeps no variables of a model with an Embedding (testdata/freed)."""
import gc

import tensorflow as tf

for fold, (train, rest) in enumerate(folds.split(x, y)):
    model = tf.keras.Sequential([tf.keras.layers.Embedding(100_000, 200), tf.keras.layers.LSTM(200), tf.keras.layers.Dense(10)])
    model.compile("rmsprop", "categorical_crossentropy")
    model.fit(x[train], y[train], epochs=20)
    del model
    tf.keras.backend.clear_session()
    gc.collect()
