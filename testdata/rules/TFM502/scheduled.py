# The number comes from a function of the program.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1)])


def rate_at(epoch):
    return 0.1 * 0.9**epoch


def halved(rate):
    half = rate / 2
    return half


@tf.function
def step(x, rate):
    return tf.reduce_mean(model(x)) * rate


for epoch in range(100):
    step(tf.zeros([8, 4]), rate_at(epoch))  # want "step is retraced for each value of rate_at\(epoch\), a Python number"

for epoch in range(100):
    rate = halved(epoch + 1)
    for batch in range(10):
        step(tf.zeros([8, 4]), rate)  # want "retraced for each value of rate"
