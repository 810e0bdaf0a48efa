"""Words read from pictures by convolutions, compared by a CTC loss that the program calls."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LETTERS, WIDTH, LONGEST = 48, 256, 20


def ctc(y_true, y_pred):
    rows = tf.shape(y_pred)[0]
    return tf.nn.ctc_loss(
        labels=tf.cast(y_true, tf.int32), logits=y_pred,
        label_length=tf.fill([rows], LONGEST), logit_length=tf.fill([rows], WIDTH // 2),
        logits_time_major=False, blank_index=-1)


inputs = keras.Input(shape=(WIDTH, 32))
x = layers.Conv1D(64, 5, padding="same", activation="relu")(inputs)
x = layers.MaxPooling1D(2)(x)
x = layers.Conv1D(128, 5, padding="same", activation="relu")(x)
outputs = layers.Dense(LETTERS + 1)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss=ctc)
pictures = np.random.rand(32, WIDTH, 32).astype("float32")
words = np.random.randint(0, LETTERS, (32, LONGEST))
model.fit(pictures, words, batch_size=16, epochs=1)
