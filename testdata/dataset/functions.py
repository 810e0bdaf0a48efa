# Pipelines through the program's own functions and classes.
import tensorflow as tf


def make(n):
    return tf.data.Dataset.range(n)


def prepare(ds, batch=True):
    ds = ds.shuffle(10)
    return ds.batch(32)


def keeps(ds):
    return ds.map(lambda x: x).prefetch(1)


def pair(ds):
    train = ds.take(3)
    return train, (ds.skip(3).batch(2), 3)


def maybe(ds, flag):
    if flag:
        return ds.batch(2)
    return ds


def recursive(ds):
    return recursive(ds.batch(2))


def forward(ds):
    return keeps(prepare(ds))


def generator():
    yield tf.data.Dataset.range(3)


def train(ds, other, default=None):
    model.fit(ds)  # dataset: unbatched
    model.fit(other)  # dataset: unknown
    model.fit(default)  # dataset: none


model.fit(make(3))  # dataset: unbatched
model.fit(prepare(make(3)))  # dataset: batched
model.fit(keeps(make(3)))  # dataset: unbatched
model.fit(keeps(ds=make(3).batch(2)))  # dataset: batched
model.fit(keeps(keeps(make(3))))  # dataset: unbatched
model.fit(keeps(keeps(make(3)).batch(2)))  # dataset: batched
model.fit(forward(make(3)))  # dataset: batched
model.fit(maybe(make(3), True))  # dataset: unknown
model.fit(recursive(make(3)))  # dataset: none
model.fit(generator())  # dataset: unknown
model.fit(prepare(elsewhere()))  # dataset: none
a, (b, c) = pair(make(3))
model.fit(a)  # dataset: unbatched
model.fit(b)  # dataset: batched
model.fit(c)  # dataset: none
train(make(3), make(3))
train(keeps(make(3)), make(3).batch(2))
compiled = tf.function(prepare)
model.fit(make(3).apply(prepare))  # dataset: batched


class Data:
    shared = tf.data.Dataset.range(3)

    def __init__(self, source):
        self.raw = tf.data.Dataset.range(3)
        self.ready = self.raw.batch(2)
        self.given = source
        self.left, self.right = self.raw, self.ready

    def load(self, n):
        return self.raw.batch(n)

    def train(self):
        model.fit(self.raw)  # dataset: unbatched
        model.fit(self.ready)  # dataset: batched
        model.fit(self.given)  # dataset: unbatched
        model.fit(self.left)  # dataset: unbatched
        model.fit(self.right)  # dataset: batched
        model.fit(self.shared)  # dataset: unbatched
        model.fit(self.load(2))  # dataset: batched
        model.fit(self.missing)  # dataset: none


class More(Data):
    def train(self):
        model.fit(self.ready)  # dataset: batched
        model.fit(self.load(2))  # dataset: batched


data = Data(make(3))
model.fit(data.ready)  # dataset: batched
model.fit(data.load(2))  # dataset: batched


class Static:
    @staticmethod
    def single(network, ds):
        network.fit(ds)  # dataset: unbatched

    def whole(self, ds):
        model.fit(ds)  # dataset: batched


Static.single(model, make(3))
Static().whole(make(3).batch(2))
