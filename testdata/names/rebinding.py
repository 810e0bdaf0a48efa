# A name means what it was last given; where that differs it means nothing.
import sys
import tensorflow as tf
import numpy

model = tf.keras.Model
model()  # name: tensorflow.keras.Model
model = tf.keras.Sequential
model()  # name: tensorflow.keras.Sequential

if sys.argv:
    model = tf.keras.Model
    model()  # name: tensorflow.keras.Model
model()  # name: -

if sys.argv:
    op = tf.zeros
else:
    op = tf.ones
    op(1)  # name: tensorflow.ones
op(1)  # name: -

if sys.argv:
    same = tf.zeros
elif sys.platform:
    same = tf.zeros
else:
    same = tf.zeros
same(1)  # name: tensorflow.zeros

tape = tf.GradientTape
del tape
tape()  # name: -
tape = tf.GradientTape
tape()  # name: tensorflow.GradientTape

count = tf.zeros
count += 1
count(1)  # name: -

try:
    risky = tf.zeros
except ValueError:
    risky = tf.ones
    risky(1)  # name: tensorflow.ones
risky(1)  # name: -

half = tf.zeros
try:
    half = tf.ones
    print(1)
except ValueError:
    half(1)  # name: -

try:
    sure = tf.zeros
finally:
    print(1)
sure(1)  # name: tensorflow.zeros

try:
    pass
finally:
    final = tf.ones
final(1)  # name: tensorflow.ones

tf.zeros(1)  # name: tensorflow.zeros
tf = numpy
tf.zeros(1)  # name: numpy.zeros


def later():
    tf.zeros(1)  # name: -
