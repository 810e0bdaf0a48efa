import tensorflow as tf

net = tf.keras.Sequential([
    tf.keras.layers.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64),
])
images = tf.random.normal((8, 64, 64, 3))
with tf.GradientTape(persistent=True) as tape:
    outputs = net(images)
    rows = tf.unstack(outputs)
for row in rows:
    gradients = tape.gradient(row, net.trainable_variables)
del tape
