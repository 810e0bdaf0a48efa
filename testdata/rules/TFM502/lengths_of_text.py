# Arrays as long as what each iteration reads.
import sys

import numpy as np
import tensorflow as tf
from transformers import AutoTokenizer

encoder = tf.keras.Sequential([tf.keras.layers.Embedding(30_000, 128), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(2)])
tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


@tf.function
def score(ids):
    return tf.nn.softmax(encoder(ids))


@tf.function(jit_compile=True)
def compiled(ids):
    return tf.nn.softmax(encoder(ids))


def tokens(line):
    return [hash(word) % 30_000 for word in line.split()]


with open("reviews.txt") as f:
    for line in f:
        ids = np.array([tokens(line)], dtype=np.int32)
        print(score(ids).numpy())  # want "warning: score is retraced for each new shape of ids\. The shape changes in every iteration of the loop on line 27, and each of its values adds a graph\. With reduce_retracing=True it is traced twice\.$"
        compiled(ids)  # want "compiled is retraced for each new shape of ids\. .* Pad it to one of a few lengths: XLA compiles for each shape, with reduce_retracing=True, too\.$"
        score(tf.constant([tokenizer.encode(line)]))  # want "score is retraced for each new shape"
for line in open("names.txt").read().splitlines():
    letters = [ord(letter) for letter in line.strip().lower()]
    score(tf.expand_dims(letters, 0))  # want "score is retraced for each new shape of tf\.expand_dims\(letters, 0\)"
for line in sys.stdin:
    score(np.array(tokens(line))[np.newaxis])  # want "score is retraced for each new shape"
texts = [np.ones(n) for n in range(1000)]
for text in texts:
    score(text)  # want "score is retraced for each new shape of text\."
