import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.sequence import pad_sequences

model = tf.keras.models.load_model("model.keras")
x = np.load("x.npy")
for batch in read_batches():
    model.predict(batch[:-1])
    model.predict(batch[-1:0])
    model.predict(batch[-2:])
    model.predict(batch[1:])
    model.predict(batch[:2])
    model.predict(batch[:])
    model.predict(batch[0:4:2])
    model.predict(batch[:, 0:1])
    model.predict(pad_sequences(batch, 30))
    model.predict(pad_sequences([batch, batch], 30))
    model.predict([batch, pad_sequences(batch, 30)])
    # The same in each turn.
    model.predict(x[-1:])
    model.predict(pad_sequences([x], 30))
