import tensorflow as tf

losses = []


@tf.function
def train_step(x):
    return tf.reduce_mean(x)


def evaluate(x):
    losses.append(tf.reduce_mean(x))


def unknown(x):
    losses.append(tf.square(x))


unknown = wrap(unknown)
unknown(1)
for x in batches:
    losses.append(train_step(x))
    evaluate(x)
