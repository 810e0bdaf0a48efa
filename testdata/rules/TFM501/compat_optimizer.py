# The optimizers of TensorFlow 1 train eagerly under TensorFlow 2.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.1)


def step(x, y):  # want "step runs eagerly in every iteration of the loop on line 15\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for x, y in dataset:
    step(x, y)
