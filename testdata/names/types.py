# The class of a value.
import tensorflow as tf
from tensorflow import keras
from typing import Optional, Union, List


def make(flag):
    if flag:
        return keras.Sequential()
    return keras.Sequential()


def either(flag):
    if flag:
        return keras.Sequential()
    return keras.Model()


def mixed(flag):
    if flag:
        return keras.Sequential()
    return None


def generator():
    yield keras.Sequential()
    return keras.Sequential()


def both():
    return keras.Sequential(), tf.data.Dataset.range(3)


make(1)  # type: tensorflow.keras.Sequential
make(1).fit(1)  # name: -, tensorflow.keras.Model.fit
either(1)  # type: tensorflow.keras.Model
mixed(1)  # type: -
generator()  # type: -
net, ds = both()
net.fit(ds)  # name: tensorflow.keras.Model.fit
ds.batch(3)  # name: tensorflow.data.Dataset.batch  # type: tensorflow.data.Dataset
ds.batch(3).map(f).fit(1)  # name: tensorflow.data.Dataset.batch, tensorflow.data.Dataset.map, tensorflow.data.Dataset.fit
(keras.Model() if net else keras.Model()).fit(1)  # name: tensorflow.keras.Model, tensorflow.keras.Model, tensorflow.keras.Model.fit
(m := keras.Model()).fit(1)  # name: tensorflow.keras.Model, tensorflow.keras.Model.fit
m.fit(1)  # name: tensorflow.keras.Model.fit

if net:
    strategy = tf.distribute.MirroredStrategy()
else:
    strategy = tf.distribute.get_strategy()
strategy.scope()  # name: tensorflow.distribute.Strategy.scope
strategy  # type: tensorflow.distribute.Strategy

if net:
    thing = tf.distribute.MirroredStrategy()
else:
    thing = keras.Model()
thing  # type: -

for batch in ds:
    batch  # type: -


def annotated(model: keras.Model, other: "keras.Model", maybe: Optional[keras.Model] = None, new: keras.Model | None = None,
              union: Union[None, keras.Model] = None, many: List[keras.Model] = (), *args: keras.Model, **kwargs: keras.Model):
    model.fit(1)  # name: tensorflow.keras.Model.fit
    other.fit(1)  # name: tensorflow.keras.Model.fit
    maybe.fit(1)  # name: tensorflow.keras.Model.fit
    new.fit(1)  # name: tensorflow.keras.Model.fit
    union.fit(1)  # name: tensorflow.keras.Model.fit
    many.fit(1)  # name: -
    args.fit(1)  # name: -
    kwargs.fit(1)  # name: -


def declared() -> keras.Model:
    return load()


declared().fit(1)  # name: -, tensorflow.keras.Model.fit
later: keras.Model = load()
later.fit(1)  # name: tensorflow.keras.Model.fit
wrong: int = keras.Model()
wrong.fit(1)  # name: tensorflow.keras.Model.fit


class Local:
    net: keras.Model

    def __init__(self, net: keras.Model, plain):
        self.net = net
        self.plain = plain
        self.typed: keras.Model = plain

    def go(self):
        self.net.fit(1)  # name: tensorflow.keras.Model.fit
        self.plain.fit(1)  # name: -
        self.typed.fit(1)  # name: tensorflow.keras.Model.fit


def takes(local: Local, text: "Local"):
    local.go()  # calls: Local.go
    text.go()  # calls: Local.go


with tf.GradientTape() as tape:
    tape.watch(1)  # name: tensorflow.GradientTape.watch
with tf.compat.v1.Session() as sess:
    sess.run(1)  # name: tensorflow.compat.v1.Session.run


async def waits():
    (await make(1)).fit(1)  # name: -, tensorflow.keras.Model.fit
