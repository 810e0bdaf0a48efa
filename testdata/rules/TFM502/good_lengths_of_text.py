# One length for all, or a shape that is left open.
import numpy as np
import tensorflow as tf
from tensorflow.keras.preprocessing.sequence import pad_sequences
from transformers import AutoTokenizer

tokenizer = AutoTokenizer.from_pretrained("bert-base-uncased")


@tf.function
def score(ids):
    return tf.reduce_sum(ids)


@tf.function(reduce_retracing=True)
def relaxed(ids):
    return tf.reduce_sum(ids)


@tf.function(input_signature=[tf.TensorSpec([1, None], tf.int32)])
def signed(ids):
    return tf.reduce_sum(ids)


def tokens(line):
    return [hash(word) % 30_000 for word in line.split()]


def bag(line):
    counts = np.zeros(1000)
    for token in tokens(line):
        counts[token % 1000] += 1
    return counts


with open("reviews.txt") as f:
    for line in f:
        relaxed(np.array([tokens(line)]))
        signed(np.array([tokens(line)], dtype=np.int32))
        score(pad_sequences([tokens(line)], maxlen=80))
        score(bag(line))
        score(tf.constant([line]))
        score(tf.constant([tokenizer.encode(line, padding="max_length", max_length=128)]))
        score(np.array([float(number) for number in line.split(",")]))
        score(tf.reduce_mean(tf.constant(tokens(line))))
        score(vectorise(line))
for text in texts:
    score(np.array(tokens(text)))
for row in [np.ones(8) for _ in range(1000)]:
    score(row)
