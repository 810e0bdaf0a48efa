"""By calls, not by lines."""
import tensorflow as tf

x = tf.Variable(3.0)


def report():
    print(tape.gradient(y, x))  # want "was consumed on line 15"


def again():
    return tape.gradient(y, x)  # want "was consumed on line 15"
with tf.GradientTape(persistent=True) as tape:
    y = x * x
dy = tape.gradient(y, x)
report()
again()
