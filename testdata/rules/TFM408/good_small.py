import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((64,)), tf.keras.layers.Dense(128, activation="tanh"), tf.keras.layers.Dense(8)])
x = tf.constant(np.random.rand(32, 64).astype("float32"))
with tf.GradientTape() as tape:
    tape.watch(x)
    y = model(x)
print(tape.batch_jacobian(y, x).shape)

a = tf.Variable([1.0, 2.0, 3.0])
with tf.GradientTape() as tape:
    b = a * a
print(tape.jacobian(b, a))
