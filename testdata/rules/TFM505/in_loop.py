import tensorflow as tf


@tf.function
def squares(n):
    out = []
    for i in tf.range(n):
        out.append(i * i)  # want "loop on line 7"
        out.append(tf.square(i))  # want "out gets a single symbolic tensor, not one per iteration\. The loop on line 7 runs in the graph and its body is traced once, so reading the list after the loop raises InaccessibleTensorError\. Write to a tf\.TensorArray\.$"
    return tf.stack(out)


squares(tf.constant(3))
