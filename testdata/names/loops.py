# What a loop binds comes round again.
import tensorflow as tf

op = tf.zeros
for i in range(3):
    op(1)  # name: -
    op = tf.ones
    op(1)  # name: tensorflow.ones
op(1)  # name: -

step = tf.zeros
while step:
    inner = tf.ones
    inner(1)  # name: tensorflow.ones
    step(1)  # name: tensorflow.zeros
inner(1)  # name: tensorflow.ones

for layer in [tf.keras.layers.Dense, tf.keras.layers.Conv2D]:
    layer(1)  # name: -
layer(1)  # name: -

for tf in range(3):
    tf.zeros(1)  # name: -
else:
    again = tf
tf.zeros(1)  # name: -


def nested():
    op = None
    for i in range(3):
        for j in range(3):
            if op is None:
                op = tf.function
            op(1)  # name: -


def fresh():
    op = None
    for i in range(3):
        op = tf_here.zeros
        for j in range(3):
            op(1)  # name: tensorflow.zeros
        import tensorflow as tf_here

def iterated():
    # The iterable is evaluated before the loop binds the name, and again only by a loop around.
    import tensorflow as tf

    item = tf.zeros
    for item in item(3):  # name: tensorflow.zeros
        item(1)  # name: -
    part = tf.zeros
    for i in range(3):
        for part in part(3):  # name: -
            part = tf.ones
    whole = tf.zeros
    for i in whole(3):  # name: tensorflow.zeros
        whole = tf.ones


def replaced():
    # Of two bindings after the use, only the last one comes round again.
    import tensorflow as tf

    op = tf.ones
    for i in range(3):
        op(1)  # name: tensorflow.ones
        op = tf.zeros
        op(1)  # name: tensorflow.zeros
        op = tf.ones

    part = tf.ones
    for i in range(3):
        part(1)  # name: -
        part = tf.zeros
        if i:
            part = tf.ones

    skipped = tf.ones
    for i in range(3):
        skipped(1)  # name: -
        skipped = tf.zeros
        if i:
            continue
        skipped = tf.ones

    inner = tf.ones
    for i in range(3):
        inner(1)  # name: tensorflow.ones
        inner = tf.zeros
        for j in range(3):
            if j:
                continue
        inner = tf.ones

    outer = tf.ones
    for i in range(3):
        for j in range(3):
            outer(1)  # name: -
            outer = tf.zeros
        outer = tf.ones

    walrus = tf.ones
    for i in range(3):
        walrus(1)  # name: -
        walrus = tf.zeros
        i and (walrus := tf.ones)

    tried = tf.ones
    while tried:
        tried(1)  # name: -
        try:
            tried = tf.zeros
            tried = tf.ones
        except ValueError:
            pass
