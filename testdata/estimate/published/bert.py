"""BERT: fine-tuning on sentences, fine-tuning on questions, and pretraining."""
import math

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

TASK = "sentences"
LAYERS = 12
WIDTH = 768
HEADS = 12
WORDS = 30522
POSITIONS = 512
LENGTH = 128
MASKED = 20
OPTIMIZER = "adam"
ACCUMULATE = None
POLICY = "float32"
CLUSTERS = False
BATCH = 32

tf.config.optimizer.set_jit(CLUSTERS)
keras.mixed_precision.set_global_policy(POLICY)


def gelu(x):
    return x * (0.5 * (1.0 + tf.tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * tf.pow(x, 3)))))


class Dropout(layers.Layer):
    """A product with a mask of the input's type, as TensorFlow 1 and early 2 had it."""

    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def call(self, x):
        mask = tf.cast(tf.random.uniform(tf.shape(x)) >= self.rate, x.dtype)
        return x * (1.0 / (1.0 - self.rate)) * mask


class Embeddings(layers.Layer):
    def __init__(self):
        super().__init__(name="embeddings")
        self.words = layers.Embedding(WORDS, WIDTH)
        self.kinds = layers.Embedding(2, WIDTH)
        self.norm = layers.LayerNormalization(epsilon=1e-12)
        self.drop = Dropout(0.1)

    def build(self, shape):
        self.places = self.add_weight(name="places", shape=(POSITIONS, WIDTH))

    def call(self, inputs):
        ids, kinds = inputs
        x = self.words(ids) + self.kinds(kinds)
        x = x + tf.cast(self.places[:LENGTH], x.dtype)
        return self.drop(self.norm(x))


class SelfAttention(layers.Layer):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.query = layers.Dense(WIDTH)
        self.key = layers.Dense(WIDTH)
        self.value = layers.Dense(WIDTH)
        self.drop = Dropout(0.1)

    def heads(self, x):
        x = tf.reshape(x, (-1, LENGTH, HEADS, WIDTH // HEADS))
        return tf.transpose(x, (0, 2, 1, 3))

    def call(self, inputs):
        x, mask = inputs
        q, k, v = self.heads(self.query(x)), self.heads(self.key(x)), self.heads(self.value(x))
        scores = tf.matmul(q, k, transpose_b=True) * (1.0 / math.sqrt(WIDTH // HEADS))
        probabilities = self.drop(tf.nn.softmax(scores + mask))
        y = tf.transpose(tf.matmul(probabilities, v), (0, 2, 1, 3))
        return tf.reshape(y, (-1, LENGTH, WIDTH))


class EncoderLayer(layers.Layer):
    def __init__(self, name=None):
        super().__init__(name=name)
        self.attention = SelfAttention()
        self.mixed = layers.Dense(WIDTH)
        self.inner = layers.Dense(4 * WIDTH, activation=gelu)
        self.outer = layers.Dense(WIDTH)
        self.drops = [Dropout(0.1) for _ in range(2)]
        self.norms = [layers.LayerNormalization(epsilon=1e-12) for _ in range(2)]

    def call(self, inputs):
        x, mask = inputs
        y = self.drops[0](self.mixed(self.attention([x, mask])))
        x = self.norms[0](x + y)
        y = self.drops[1](self.outer(self.inner(x)))
        return self.norms[1](x + y)


class WordScores(layers.Layer):
    """The scores of all words at the masked places, by the embeddings themselves."""

    def __init__(self, embeddings):
        super().__init__(name="word_scores")
        self.embeddings = embeddings
        self.transform = layers.Dense(WIDTH, activation=gelu)
        self.norm = layers.LayerNormalization(epsilon=1e-12)

    def build(self, shape):
        self.bias = self.add_weight(name="bias", shape=(WORDS,))

    def call(self, inputs):
        x, positions = inputs
        x = tf.gather(x, positions, batch_dims=1)
        x = self.norm(self.transform(x))
        table = tf.cast(self.embeddings.words.embeddings, x.dtype)
        scores = tf.matmul(tf.reshape(x, (-1, WIDTH)), table, transpose_b=True)
        return tf.reshape(scores + tf.cast(self.bias, x.dtype), (-1, MASKED, WORDS))


ids = keras.Input((LENGTH,), dtype="int32", name="ids")
seen = keras.Input((LENGTH,), dtype="int32", name="seen")
kinds = keras.Input((LENGTH,), dtype="int32", name="kinds")
inputs = [ids, seen, kinds]

embeddings = Embeddings()
x = embeddings([ids, kinds])
mask = layers.Lambda(lambda m: (1.0 - tf.cast(m[:, None, None, :], x.dtype)) * -10000.0, name="mask")(seen)
for i in range(LAYERS):
    x = EncoderLayer(name=f"layer_{i}")([x, mask])

if TASK == "questions":
    outputs = layers.Dense(2, dtype="float32", name="spans")(x)
    labels = np.zeros((1024, LENGTH, 2), "float32")
else:
    first = layers.Dense(WIDTH, activation="tanh", name="pooler")(x[:, 0])
    if TASK == "sentences":
        first = Dropout(0.1)(first)
    outputs = layers.Dense(2, dtype="float32", name="classes")(first)
    labels = np.zeros((1024, 2), "float32")
if TASK == "pretraining":
    positions = keras.Input((MASKED,), dtype="int32", name="positions")
    inputs.append(positions)
    words = layers.Activation("linear", dtype="float32")(WordScores(embeddings)([x, positions]))
    outputs = [words, outputs]
    labels = [np.zeros((1024, MASKED), "int32"), np.zeros((1024, 1), "int32")]

model = keras.Model(inputs, outputs)
if OPTIMIZER == "lamb":
    optimizer = keras.optimizers.Lamb(1e-4, global_clipnorm=1.0, gradient_accumulation_steps=ACCUMULATE)
else:
    # The decay, which the published step has in its update, is among what published.csv has beside.
    optimizer = keras.optimizers.Adam(3e-5, global_clipnorm=1.0, gradient_accumulation_steps=ACCUMULATE)
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
if TASK != "pretraining":
    loss = keras.losses.CategoricalCrossentropy(from_logits=True)
model.compile(optimizer, loss, jit_compile=False)
model.fit([np.zeros((1024, i.shape[1]), "int32") for i in inputs], labels, batch_size=BATCH)
