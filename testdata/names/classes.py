# Methods, attributes and bases.
import tensorflow as tf
from tensorflow import keras


class Base(keras.Model):
    def __init__(self, units):
        super().__init__()  # name: -, tensorflow.keras.Model.__init__
        self.dense = keras.layers.Dense(units)
        self.helper = Helper()
        self.cleared = Helper()
        self.helpers = [Helper()]
        self.first, self.second = keras.layers.Flatten(), Helper()
        self.op = tf.zeros
        if units:
            self.either = keras.layers.Dense(1)
        else:
            self.either = keras.layers.Flatten()
        self.changing = keras.layers.Dense(1)
        self.build_all()  # calls: Base.build_all

    def build_all(self):
        self.late = keras.layers.Conv2D(1, 3)
        self.changing = other()
        self.cleared = None

    def call(self, x):
        self.dense(x)  # name: -
        self.dense.build(x)  # name: tensorflow.keras.layers.Dense.build
        self.late.build(x)  # name: tensorflow.keras.layers.Layer.build
        self.first.build(x)  # name: tensorflow.keras.layers.Layer.build
        self.either.build(x)  # name: tensorflow.keras.layers.Layer.build
        self.changing.build(x)  # name: -
        self.second.go()  # calls: Helper.go
        self.helper.go()  # calls: Helper.go  # type: tensorflow.keras.Sequential
        self.cleared.go()  # type: tensorflow.keras.Sequential
        self.helper.inner.fit(x)  # name: tensorflow.keras.Model.fit
        self.op(1)  # name: -
        self.fit(x)  # name: tensorflow.keras.Model.fit
        return self.unknown(x)  # name: tensorflow.keras.Model.unknown

    def fit_all(self, x):
        def inner():
            self.fit(x)  # name: tensorflow.keras.Model.fit
            self.helper.go()  # calls: Helper.go
        return [self.fit(i) for i in x]  # name: tensorflow.keras.Model.fit

    @staticmethod
    def static(net):
        net.fit(1)  # name: -
        net.attribute = 3

    @classmethod
    def create(cls, n):
        cls.static(n)  # calls: Base.static
        cls.fit(n)  # name: -
        return cls(n)  # calls: Base.__init__  # type: Base

    @property
    def net(self):
        return keras.Sequential()

    def uses_property(self):
        self.net.fit(1)  # name: tensorflow.keras.Model.fit


class Helper:
    shared = keras.layers.Dense(1)
    limit: int = 3

    def go(self):
        self.inner = keras.Sequential()
        self.shared.build(1)  # name: tensorflow.keras.layers.Dense.build
        return self.inner

    def missing(self):
        self.nothing()  # name: -  # calls: -


class Derived(Base):
    def __init__(self):
        super().__init__(3)  # calls: -, Base.__init__
        self.fit(1)  # name: -  # calls: Derived.fit
        self.evaluate(1)  # name: tensorflow.keras.Model.evaluate
        self.dense.build(1)  # name: tensorflow.keras.layers.Dense.build
        self.build_all()  # calls: Base.build_all
        self.helper.go()  # calls: Helper.go

    def fit(self, x):
        super().fit(x)  # name: -, tensorflow.keras.Model.fit
        super(Derived, self).predict(x)  # name: -, tensorflow.keras.Model.predict
        return super().call(x)  # calls: -, Base.call


net = Derived()  # calls: Derived.__init__  # type: Derived
net.fit(1)  # name: -  # calls: Derived.fit
net.evaluate(1)  # name: tensorflow.keras.Model.evaluate
net.dense.build(1)  # name: tensorflow.keras.layers.Dense.build
net.helper.inner.fit(1)  # name: tensorflow.keras.Model.fit
Derived.fit(net, 1)  # calls: Derived.fit
Base.create(1)  # calls: Base.create
Helper.missing  # name: -
Derived().fit(1)  # calls: Derived.__init__, Derived.fit


class Plain:
    pass


Plain()  # calls: Plain  # type: Plain
Plain().fit(1)  # name: -, -


class Loop1(Loop2):
    pass


class Loop2(Loop1):
    def m(self):
        self.fit(1)  # name: -


Loop1().m()  # calls: Loop1, Loop2.m


class Mixin:
    def go(self):
        self.fit(1)  # name: -


class Both(Mixin, tf.keras.Model):
    def run(self):
        self.go()  # calls: Mixin.go
        self.fit(1)  # name: tensorflow.keras.Model.fit


class Unknown(Imported):
    def run(self):
        self.fit(1)  # name: -
        self.run()  # calls: Unknown.run
