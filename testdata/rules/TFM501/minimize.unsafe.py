# minimize records the loss that it computes by a function.
# keras: 2.13
import tensorflow as tf

a = tf.Variable([0.5, 0.5])
b = tf.Variable(0.0)
optimizer = tf.keras.optimizers.Adam(0.1)
old = tf.compat.v1.train.AdamOptimizer(0.1)


def loss():
    return tf.reduce_mean((a * x + b - y) ** 2)


for i in range(1000):
    optimizer.minimize(loss, var_list=[a, b])  # want "This training step runs eagerly in every iteration of the loop on line 15\. Move it into a function with @tf\.function"
for i in range(1000):
    old.minimize(lambda: tf.reduce_sum(a ** 2), var_list=[a])  # want "the loop on line 17"


@tf.function
def fit(x):  # want "fit runs eagerly in every iteration of the loop on line 34"
    optimizer.minimize(lambda: tf.reduce_mean(a * x), [a])


class Model:
    def objective(self):
        return tf.reduce_mean(a * self.x)

    def train(self):
        for i in range(1000):
            optimizer.minimize(self.objective, [a])  # want "the loop on line 30"


for x in dataset:
    fit(x)
Model().train()
