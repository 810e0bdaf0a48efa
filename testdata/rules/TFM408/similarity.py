import tensorflow as tf

net = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, strides=2, activation="relu", input_shape=(64, 64, 3)),
    tf.keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(64),
])
left = tf.random.normal((48, 64, 64, 3))
right = tf.random.normal((48, 64, 64, 3))
with tf.GradientTape() as tape:
    pairs = tf.matmul(net(left), net(right), transpose_b=True)
per_pair = tape.jacobian(pairs, net.trainable_variables)  # want "information: jacobian\(\) computes the gradients of all 2304 outputs at once\. The largest tensor on the way is 2\.82 MiB, and its gradients are 2304 times that, 6\.33 GiB, beside the result of 4\.00 GiB\. experimental_use_pfor=False computes one gradient after the other, and takes longer\.$"
