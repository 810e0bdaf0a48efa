# rule: TFM406
# raises: RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)
import tensorflow as tf

variables = [tf.Variable(3.0), tf.Variable(4.0)]
with tf.GradientTape(persistent=True) as tape:
    loss = variables[0] * variables[1]
gradients = [tape.gradient(loss, v) for v in variables]
del tape
print(tf.add_n(gradients))
