import tensorflow as tf

x = = tf.constant(1)  # want "This is not valid Python"
y = 2
for i in range(3)
    print(i)  # want "This is not valid Python"
