import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
print(tape.gradient(y, x))
print(tape.gradient(y, x))
del tape
print("done")

for i in range(3):
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    g = tape.gradient(y, x)
    del tape
    print(g)
