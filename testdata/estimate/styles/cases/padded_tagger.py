import random
import tensorflow as tf
from tensorflow.keras import layers, Model, losses, optimizers

VOCAB, TAGS, MAXLEN = 12000, 45, 80


def sentences():
    random.seed(0)
    while True:
        n = random.randint(5, MAXLEN)
        yield [random.randint(1, VOCAB - 1) for _ in range(n)], [random.randint(1, TAGS - 1) for _ in range(n)]


ds = tf.data.Dataset.from_generator(sentences, output_signature=(tf.TensorSpec([None], tf.int64), tf.TensorSpec([None], tf.int64)))
ds = ds.padded_batch(64, padded_shapes=([MAXLEN], [MAXLEN]), padding_values=(tf.constant(0, tf.int64), tf.constant(0, tf.int64)))


class TagModel(Model):
    def __init__(self, dim=128, units=96):
        super().__init__()
        self.emb = layers.Embedding(VOCAB, dim, mask_zero=True)
        self.sdrop = layers.SpatialDropout1D(0.2)
        self.convs = [layers.Conv1D(64, k, padding="same", activation="relu") for k in (2, 3, 4)]
        self.rnn = layers.Bidirectional(layers.GRU(units, return_sequences=True))
        self.out = layers.TimeDistributed(layers.Dense(TAGS))

    def call(self, ids, training=None):
        x = self.sdrop(self.emb(ids), training=training)
        x = tf.concat([c(x) for c in self.convs] + [x], axis=-1)
        return self.out(self.rnn(x))


scce = losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


def masked_loss(y, logits):
    m = tf.cast(y > 0, tf.float32)
    l = scce(y, logits)
    return tf.reduce_sum(l * m) / tf.maximum(tf.reduce_sum(m), 1.0)


def masked_acc(y, logits):
    m = tf.cast(y > 0, tf.float32)
    hit = tf.cast(tf.equal(tf.argmax(logits, -1), y), tf.float32)
    return tf.reduce_sum(hit * m) / tf.reduce_sum(m)


model = TagModel()
model.compile(optimizer=optimizers.Adam(1e-3), loss=masked_loss, metrics=[masked_acc])
model.fit(ds, steps_per_epoch=4, epochs=1)
