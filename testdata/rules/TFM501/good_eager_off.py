# Nothing runs eagerly here: the loop adds the step to a graph.
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
optimizer = tf.keras.optimizers.SGD()
for x, y in batches():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
