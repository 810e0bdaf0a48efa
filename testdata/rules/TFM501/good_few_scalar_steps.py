# 500 steps on a few numbers take little more time than compiling one.
import tensorflow as tf

rate = 0.1
x = tf.Variable(0.0)
for _ in range(100):
    with tf.GradientTape() as tape:
        z = (x + 2.0) ** 2.0
    x.assign_sub(rate * tape.gradient(z, x))
a, b = 1, 2
w = tf.Variable(-1.0, name="w")
c = tf.Variable(0.0)
optimizer = tf.keras.optimizers.SGD()
steps = 50
for step in range(steps):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * xs + c - ys))
    dw, dc = tape.gradient(loss, [w, c])
    optimizer.apply_gradients([(dw, w), (dc, c)])


def himmelblau():
    point = tf.Variable(tf.constant([4.0, 0.0]))
    epoch = 200
    for epoch in range(epoch):
        with tf.GradientTape() as tape:
            z = (point[0] ** 2 + point[1] - 11) ** 2 + (point[0] + point[1] ** 2 - 7) ** 2
        point.assign_sub(0.01 * tape.gradient(z, [point])[0])


himmelblau()

# Five hundred, in a function.
slope, offset = tf.Variable(tf.zeros([1])), tf.Variable(tf.random.normal(shape=[1, 4]))


def step(inputs, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(slope * inputs + offset - targets))
    dslope, doffset = tape.gradient(loss, [slope, offset])
    slope.assign_sub(0.1 * dslope)
    offset.assign_sub(0.1 * doffset)


for epoch in range(500):
    step(xs, ys)
