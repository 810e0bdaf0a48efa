import tensorflow.compat.v1 as tf


def step(net, images, optimizer):  # want "step runs eagerly in every iteration of the loop on line 13\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(net(images) - images))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_weights), net.trainable_weights))


tf.enable_eager_execution()
net = tf.keras.layers.Dense(3)
optimizer = tf.compat.v1.train.AdamOptimizer()
for images in data:
    step(net, images, optimizer)
