import tensorflow as tf


class Other:
    @staticmethod
    def function(f):
        return f


for tf in [Other(), Other()]:
    @tf.function
    def step(x):
        return x

    step(1)
