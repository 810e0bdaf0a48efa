# Methods by self and by instance, constructors, calls of instances, bodies.
import tensorflow as tf
from os import putenv as mark


class Base(tf.keras.Model):
    mark("BASE_BODY", "")

    def __init__(self):
        super().__init__()
        mark("BASE_INIT", "")
        self.helper = Helper()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x, mode=mark("DEFAULT", "")):
        mark("CALL", "")
        self.helper.go()
        return self.dense(x)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            self(data)
        self.optimizer.apply_gradients([])


class Helper:
    def __init__(self):
        mark("HELPER_INIT", "")

    def go(self):
        mark("GO", "")

    def __call__(self):
        mark("HELPER_CALL", "")

    @staticmethod
    def static():
        mark("STATIC", "")

    @classmethod
    def make(cls):
        mark("MAKE", "")
        return cls()


class Derived(Base):
    mark("DERIVED_BODY", "")

    def __init__(self):
        super().__init__()
        mark("DERIVED_INIT", "")


net = Derived()
net(1)
net.compile()
net.fit(1)
net.helper()
Helper.static()
Helper.make().go()


def in_function():
    class Local:
        mark("LOCAL_BODY", "")
    mark("IN_FUNCTION", "")


in_function()
