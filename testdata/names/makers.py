import tensorflow as tf
from somewhere import given

x = tf.zeros(1)
y = (x)
y  # maker: tf.zeros(1)
a, b = 1, (2, x)
a  # maker: 1
b  # maker: (2, x)
with tf.device("cpu") as device:
    device  # maker: tf.device("cpu")
given  # maker: -
undefined  # maker: -
if y:
    z = 1
else:
    z = 2
z  # maker: -
for item in range(3):
    item  # maker: -


class Net:
    def __init__(self, size):
        self.layer = tf.Variable(size)
        self.size = size
        self.twice = 1
        self.twice = 2

    def call(self):
        self.layer  # maker: tf.Variable(size)
        self.size  # maker: size
        self.twice  # maker: -


net = Net(3)
net.layer  # maker: tf.Variable(size)
net.unknown  # maker: -


def f(size):
    own = size
    own  # maker: size
    x  # maker: tf.zeros(1)
    later  # maker: 3
    walrus  # maker: 3


later = (walrus := 3)
cyclic = other
other = cyclic
cyclic  # maker: -
