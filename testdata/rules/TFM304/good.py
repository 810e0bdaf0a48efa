import numpy as np
import tensorflow as tf

(x_train, y_train), (x_test, y_test) = tf.keras.datasets.mnist.load_data()
(x_old, y_old), _ = tf.keras.datasets.boston_housing.load_data()
x_test = x_test.reshape(-1, 784)
model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(784,))])

# A part of it, or of them.
model(x_test[:5])
model(x_test[:1000])
model(x_test[0][None])
model(x_old)
model(tf.random.normal([64, 224, 224, 3]))
model(unknown)
model(np.load("x.npy"))
model(np.zeros((5000, 2)))

# In batches.
model.predict(x_test)
model.evaluate(x_test, y_test)
for i in range(0, 10000, 100):
    model(x_test[i:i + 100])

# The gradients of all are meant, and the turns of a loop take little.
with tf.GradientTape() as tape:
    loss = loss_of(model(x_test), y_test)
for epoch in range(10):
    validation = model(x_test)
samples = [model(x_test, training=True) for _ in range(10)]


def loss():
    return tf.reduce_mean(model(x_test))


with tf.GradientTape() as tape:
    value = loss()


@tf.function
def compiled():
    return model(x_test)


compiled()

inputs = tf.keras.Input((784,))
other = tf.keras.Model(inputs, model(inputs))


class Outer(tf.keras.Model):
    def call(self, x):
        return model(x_test)


def predict_on_batch(x):
    return x


predict_on_batch(x_test)
predictor.predict_on_batch(x_test)
model(*x_test)
model(
