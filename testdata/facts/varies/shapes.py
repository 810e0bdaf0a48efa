# Arrays that have another shape in each iteration of the loop around a line.
import numpy as np
import tensorflow as tf

data = np.arange(100)
history = []
short = []
for i in range(100):
    print(data[:i])  # shape: 100
    print(data[i:])  # shape: 100
    print(data[i : i + 8])  # shape: no
    print(unknown[:i])  # shape: no
    print(tf.zeros((i, 3)))  # shape: 100
    noise = np.random.rand(i, 3)
    print(noise)  # shape: 100
    print(np.zeros(8))  # shape: no
    history.append(i)
    print(np.array(history))  # shape: 100
    short.append(i)
    short.pop()
    print(np.array(short))  # shape: no

x = tf.zeros((1, 3))
while input():
    x = tf.concat([x, tf.ones((1, 3))], axis=0)
    print(x)  # shape: yes
    y = tf.concat([tf.ones((1, 3))], axis=0)
    print(y)  # shape: no


def first(n):
    return data[:n]


for i in range(50):
    print(first(i))  # shape: 50
    for batch in data:
        print(first(i))  # shape: 50
