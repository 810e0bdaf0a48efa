import tensorflow.compat.v1 as tf


class Session:
    def run(self, x):
        return x


sess = Session()
for i in range(1000):
    sess.run(tf.reduce_mean(x))
tf = fake()
for i in range(1000):
    other.run(tf.reduce_mean(x))
