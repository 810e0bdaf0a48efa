# What is closed is something else.
import tensorflow as tf

net = tf.keras.applications.ResNet50()
with open("log.txt") as log:
    print(net.predict(photos), file=log)
log.close()
metric = tf.keras.metrics.Mean()
metric.reset()
print(net.predict(photos))
