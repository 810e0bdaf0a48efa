import tensorflow as tf

def g(x):
    with tf.GradientTape(persistent=True) as tape: y = x * x  # want "asked once"
    return tape.gradient(y, x)
