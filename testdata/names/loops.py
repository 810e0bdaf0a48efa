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
