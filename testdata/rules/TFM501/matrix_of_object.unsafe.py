# Here it trains a matrix.
import tensorflow as tf


class Line:
    def __init__(self):
        self.w = tf.Variable(tf.zeros((300, 300)))
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


@tf.function
def train(model, x, y, rate):  # want "train runs eagerly in every iteration"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    dw, db = tape.gradient(loss, [model.w, model.b])
    model.w.assign_sub(rate * dw)
    model.b.assign_sub(rate * db)


line = Line()
epochs = range(20)
for epoch in epochs:
    train(line, x, y, rate=0.1)
