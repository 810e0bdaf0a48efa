import tensorflow as tf

net = tf.keras.Sequential([
    tf.keras.layers.Input((64, 64, 3)),
    tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64),
])
images = tf.random.normal((48, 64, 64, 3))
with tf.GradientTape(persistent=True) as tape:
    outputs = net(images)
rows = tape.jacobian(outputs, net.trainable_variables, experimental_use_pfor=False)
again = tape.jacobian(outputs, net.trainable_variables, tf.UnconnectedGradients.NONE, 4, False)
total = tape.gradient(outputs, net.trainable_variables)  # of the sum
del tape
