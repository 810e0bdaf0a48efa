# Every call passes a number, which is no tensor of the trace.
import tensorflow as tf

seen = []


@tf.function
def side_effect(x):
    seen.append(x)
    return tf.constant(0)


side_effect(1)
side_effect(1)
