# A Python loop is unrolled while the function is traced.
import tensorflow as tf


@tf.function
def forward(x, layers):
    outputs = []
    for layer in layers:
        x = tf.nn.relu(layer(x))
        outputs.append(x)
    for i in range(3):
        outputs.append(tf.square(x))
    for part in tf.unstack(x):
        outputs.append(tf.square(part))
    for i in tf.range(3):
        outputs_of_the_loop = []
        outputs_of_the_loop.append(tf.square(x))
    array = tf.TensorArray(tf.float32, 3)
    for i in tf.range(3):
        array = array.write(i, tf.square(x))
    return outputs


forward(1, [])


@tf.function
def count(n):
    out = []
    for i in tf.range(n):
        out.append(tf.square(i))
    return len(out)


count(3)
