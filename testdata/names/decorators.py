# Decorators and the expressions they hold.
import functools
import tensorflow as tf


@tf.function
def one():
    pass


@tf.function(jit_compile=True)  # name: tensorflow.function
def two():
    pass


@functools.partial(tf.function, jit_compile=True)  # name: functools.partial
def three():
    pass


@decorate(tf.zeros(1))  # name: -, tensorflow.zeros
class Four:
    @property
    def five(self):
        pass

    @five.setter
    def five(self, value):
        pass


one()  # calls: one
two()  # calls: two
three()  # calls: three
Four()  # calls: Four
