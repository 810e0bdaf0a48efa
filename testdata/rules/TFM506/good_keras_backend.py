# What is built once is run again and again; reading and setting a variable builds nothing.
# keras: 2.15
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

tf.compat.v1.disable_eager_execution()

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(3, activation="softmax")])
x, rate = np.random.rand(32, 4), K.variable(0.1)
mean = K.mean(rate)
forward = K.function(model.inputs, model.outputs)
for i in range(1000):
    K.eval(mean)
    K.get_value(rate)
    K.set_value(rate, 0.1 / (i + 1))
    forward([x])
    model.predict(x)
    K.int_shape(rate)
for layer in model.layers[:3]:
    x = K.relu(x)
outputs = []
for layer in range(100):
    outputs.append(K.mean(rate))
print(K.eval(K.stack(outputs)))
for i in range(5):
    K.eval(K.mean(rate))
