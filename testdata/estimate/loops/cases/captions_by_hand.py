"""A captioning transformer of which every part is written by hand, in a loop of epochs and batches."""

import tensorflow as tf
from tensorflow.keras import layers

BATCH_SIZE, LENGTH, WORDS, WIDTH, HEADS, DEPTH = 16, 24, 3000, 64, 4, 14


def attend(q, k, v, mask):
    scores = tf.matmul(q, k, transpose_b=True) / tf.math.sqrt(tf.cast(tf.shape(k)[-1], tf.float32))
    if mask is not None:
        scores += mask * -1e9
    weights = tf.nn.softmax(scores, axis=-1)
    return tf.matmul(weights, v), weights


class Attention(layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.width, self.heads = width, heads
        self.wq, self.wk, self.wv, self.out = [layers.Dense(width) for _ in range(4)]

    def split(self, x):
        x = tf.reshape(x, (tf.shape(x)[0], -1, self.heads, self.width // self.heads))
        return tf.transpose(x, perm=[0, 2, 1, 3])

    def call(self, q, k, v, mask=None):
        q, k, v = self.split(self.wq(q)), self.split(self.wk(k)), self.split(self.wv(v))
        x, weights = attend(q, k, v, mask)
        x = tf.reshape(tf.transpose(x, perm=[0, 2, 1, 3]), (tf.shape(x)[0], -1, self.width))
        return self.out(x), weights


def feed_forward(width):
    return tf.keras.Sequential([layers.Dense(4 * width, activation="relu"), layers.Dense(width)])


class Norm(layers.Layer):
    def build(self, input_shape):
        self.gamma = self.add_weight(name="gamma", shape=input_shape[-1:], initializer="ones")
        self.beta = self.add_weight(name="beta", shape=input_shape[-1:], initializer="zeros")

    def call(self, x):
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        std = tf.math.reduce_std(x, axis=-1, keepdims=True)
        return self.gamma * (x - mean) / (std + 1e-6) + self.beta


class Look(layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.attention, self.feed = Attention(width, heads), feed_forward(width)
        self.norm1, self.norm2 = Norm(), Norm()

    def call(self, x):
        y, _ = self.attention(x, x, x)
        x = self.norm1(x + y)
        return self.norm2(x + self.feed(x))


class Write(layers.Layer):
    def __init__(self, width, heads):
        super().__init__()
        self.own, self.other, self.feed = Attention(width, heads), Attention(width, heads), feed_forward(width)
        self.norm1, self.norm2, self.norm3 = Norm(), Norm(), Norm()

    def call(self, x, seen, mask):
        y, own = self.own(x, x, x, mask)
        x = self.norm1(x + y)
        y, other = self.other(x, seen, seen)
        x = self.norm2(x + y)
        return self.norm3(x + self.feed(x)), own, other


class Captioner(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.patches = layers.Dense(WIDTH)
        self.words = layers.Embedding(WORDS, WIDTH)
        self.looks = [Look(WIDTH, HEADS) for _ in range(DEPTH)]
        self.writes = [Write(WIDTH, HEADS) for _ in range(DEPTH)]
        self.scores = layers.Dense(WORDS)

    def call(self, inputs):
        patches, words = inputs
        seen = self.patches(patches)
        for look in self.looks:
            seen = look(seen)
        x = self.words(words) * tf.math.sqrt(float(WIDTH))
        mask = 1 - tf.linalg.band_part(tf.ones((LENGTH, LENGTH)), -1, 0)
        maps = {}
        for i, write in enumerate(self.writes):
            x, own, other = write(x, seen, mask)
            maps[f"own{i}"], maps[f"other{i}"] = own, other
        return self.scores(x), maps


model = Captioner()
optimizer = tf.keras.optimizers.Adam(1e-4)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def masked_loss(words, scores):
    mask = tf.cast(tf.not_equal(words, 0), tf.float32)
    return tf.reduce_mean(loss_object(words, scores) * mask)


@tf.function
def train_step(patches, words):
    with tf.GradientTape() as tape:
        scores, _ = model((patches, words[:, :-1]))
        loss = masked_loss(words[:, 1:], scores)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


patches = tf.random.normal((320, 49, 256))
words = tf.random.uniform((320, LENGTH + 1), 0, WORDS, tf.int32)
batches = tf.data.Dataset.from_tensor_slices((patches, words)).batch(BATCH_SIZE, drop_remainder=True)
for epoch in range(20):
    for number, (images, captions) in enumerate(batches):
        loss = train_step(images, captions)
        if number % 10 == 0:
            print(epoch, number, float(loss))
