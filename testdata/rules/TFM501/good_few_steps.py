# Ten steps are done before one is compiled.
import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1)
for step in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(layer(x, training=True) ** 2)
    gradients = tape.gradient(loss, layer.trainable_variables)
    optimizer.apply_gradients(zip(gradients, layer.trainable_variables))
