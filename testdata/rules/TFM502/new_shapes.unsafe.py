# Arrays that are made in the loop and have another shape in each of its turns.
import numpy as np
import tensorflow as tf


@tf.function(reduce_retracing=True)
def step(x):
    return tf.reduce_sum(x)


history = []
for i in range(100):
    history.append(i * 1.0)
    step(tf.constant(history))  # want "step is retraced for each new shape of tf\.constant\(history\)\. The shape changes in every iteration of the loop on line 12, and each of 100 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
x = tf.zeros((1, 3))
for i in range(100):
    x = tf.concat([x, tf.ones((1, 3))], axis=0)
    step(x)  # want "step is retraced for each new shape of x\. The shape changes in every iteration of the loop on line 16, and each of 100 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
for n in range(1, 100):
    step(tf.zeros((n, 3)))  # want "step is retraced for each new shape of tf\.zeros\(\(n, 3\)\)\. The shape changes in every iteration of the loop on line 19, and each of 99 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
for n in range(1, 100):
    noise = np.random.rand(n, 3)
    step(noise)  # want "step is retraced for each new shape of noise\. The shape changes in every iteration of the loop on line 21, and each of 99 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
rows = []
while True:
    rows += [read()]
    step(np.array(rows))  # want "step is retraced for each new shape of np\.array\(rows\)\. The shape changes in every iteration of the loop on line 25, and each of its values adds a graph\. With reduce_retracing=True it is traced twice\.$"
for n in range(1, 100):
    step(x=tf.random.normal(shape=[8, n * 2]))  # want "step is retraced for each new shape of tf\.random\.normal\(shape=\[8, n \* 2\]\)\. The shape changes in every iteration of the loop on line 28, and each of 99 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
kept = np.zeros((0, 3))
for row in reader:
    kept = np.vstack((kept, row))
    step(kept)  # want "step is retraced for each new shape of kept\. The shape changes in every iteration of the loop on line 31, and each of its values adds a graph\. With reduce_retracing=True it is traced twice\.$"
