import numpy as np
import tensorflow as tf

vocab, seq, batch = 96, 50, 64
rng = np.random.default_rng(0)
text = rng.integers(0, vocab, 100_000)


def get_batches():
    for _ in range(10):
        starts = rng.integers(0, len(text) - seq - 1, batch)
        chunk = np.stack([text[s:s + seq + 1] for s in starts]).astype(np.int64)
        yield tf.constant(chunk[:, :-1]), tf.constant(chunk[:, 1:])


class LSTMCell(tf.Module):
    """By hand, out of tf.Variables."""

    def __init__(self, inputs, units, name=None):
        super().__init__(name)
        self.units = units
        self.w = tf.Variable(tf.random.normal([inputs, 4 * units], stddev=0.05), name="w")
        self.u = tf.Variable(tf.random.normal([units, 4 * units], stddev=0.05), name="u")
        self.b = tf.Variable(tf.zeros([4 * units]), name="b")

    def __call__(self, x, state):
        h, c = state
        i, f, g, o = tf.split(x @ self.w + h @ self.u + self.b, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        h = tf.sigmoid(o) * tf.tanh(c)
        return h, c


class CharRNN(tf.Module):
    def __init__(self, vocab, units=384, layers=2):
        super().__init__()
        self.emb = tf.Variable(tf.random.normal([vocab, 64]))
        self.cells = [LSTMCell(64 if i == 0 else units, units) for i in range(layers)]
        self.out_w = tf.Variable(tf.random.normal([units, vocab], stddev=0.05))
        self.out_b = tf.Variable(tf.zeros([vocab]))

    def __call__(self, ids):
        x = tf.nn.embedding_lookup(self.emb, ids)
        states = [(tf.zeros([ids.shape[0], c.units]), tf.zeros([ids.shape[0], c.units])) for c in self.cells]
        outs = []
        for t in range(ids.shape[1]):
            h = x[:, t]
            for k, cell in enumerate(self.cells):
                states[k] = cell(h, states[k])
                h = states[k][0]
            outs.append(h)
        h = tf.stack(outs, 1)
        return tf.tensordot(h, self.out_w, 1) + self.out_b


net = CharRNN(vocab)
opt = tf.keras.optimizers.Adam(2e-3)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        logits = net(x)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(y, logits))
    g = tape.gradient(loss, net.trainable_variables)
    g = [tf.clip_by_value(v, -1.0, 1.0) for v in g]
    opt.apply_gradients(zip(g, net.trainable_variables))
    return loss


for i, (x, y) in enumerate(get_batches()):
    l = step(x, y)
    if i % 5 == 0:
        print(i, l.numpy())
