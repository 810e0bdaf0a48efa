import tensorflow as tf

def g(x):
    with tf.GradientTape() as tape: y = x * x  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
    return tape.gradient(y, x)
