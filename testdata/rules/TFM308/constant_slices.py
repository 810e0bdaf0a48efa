# A slice with constant bounds of one row, and what pads a list of one.
import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.sequence import pad_sequences

model = tf.keras.models.load_model("model.keras")
z = np.load("series.npy")
for step in range(1000):
    z = np.append(z, model.predict(z[-1:]), axis=0)  # want "loop on line 8"
for step in range(1000):
    z = np.append(z, model.predict(z[0:1]), axis=0)[1:]  # want "loop on line 10"
    model.predict(z[:1])  # want "loop on line 10"
    model.predict(z[3:4])  # want "loop on line 10"
    model.predict(z[-2:-1, :, None])  # want "loop on line 10"
for i in range(1000):
    model.predict(z[i:i + 1, :])  # want "loop on line 15"


def caption(image, tokenizer, length):
    text = "startseq"
    for i in range(length):
        sequence = tokenizer.texts_to_sequences([text])[0]
        sequence = pad_sequences([sequence], maxlen=length)
        word = np.argmax(model.predict([image, sequence], verbose=0))  # want "loop on line 21"
        text += " " + tokenizer.index_word[word]
    return text


def write(text, tokenizer, length):
    while True:
        padded = tf.keras.utils.pad_sequences(tokenizer.texts_to_sequences([text]), maxlen=length)
        text += tokenizer.index_word[np.argmax(model.predict(padded))]  # want "loop on line 30"


# Keras raises where the inputs are not of as many examples each.
for path in open("paths"):
    x, y = load(path)
    print(model.predict([np.expand_dims(x, 0), y]))  # want "loop on line 36"

caption(np.load("image.npy"), load(), 100)
write("once", load(), 100)
