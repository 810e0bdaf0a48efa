# Of what initialises, one that is sure says all; of what trains, all matter.
import tensorflow as tf

if x:
    tf.zeros(1)
    tf.zeros(2)
if y:
    tf.zeros(3)
tf.zeros(4)
tf.zeros(5)
if x:
    tf.zeros(6)
with tf.Graph().as_default():
    tf.zeros(7)
model = tf.keras.Sequential()
model.fit(1)
model.fit(2)
for i in range(3):
    model.fit(3)
