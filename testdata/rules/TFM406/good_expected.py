import tensorflow as tf


class TapeTest(tf.test.TestCase):
    def test_twice(self):
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        with self.assertRaisesRegex(RuntimeError, "one set of gradients"):
            tape.gradient(y, x)


x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
tape.gradient(y, x)
try:
    tape.gradient(y, x)
except RuntimeError as error:
    print(error)
