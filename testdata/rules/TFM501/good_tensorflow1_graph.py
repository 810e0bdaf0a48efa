# Nothing turns eager execution on: each tower adds its operations to the graph.
import tensorflow as tf

optimizer = tf.train.AdamOptimizer()
updates = []
for gpu in range(100):
    with tf.device("/gpu:%d" % gpu):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(batches[gpu]) - 1.0) ** 2)
        gradients = tape.gradient(loss, tf.trainable_variables())
        updates.append(optimizer.apply_gradients(zip(gradients, tf.trainable_variables())))
train_ops = [optimizer.minimize(loss) for loss in losses]
