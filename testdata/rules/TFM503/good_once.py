import tensorflow as tf


@tf.function
def step(x):
    return x


def make():
    @tf.function
    def made(x):
        return x

    return made


fast = tf.function(step)
made = make()
for batch in batches:
    step(batch)
    fast(batch)
    made(batch)


@tf.function
def outer(x):
    for i in range(3):
        @tf.function
        def inner(y):
            return y

        x = inner(x)
    return x


outer(1)
