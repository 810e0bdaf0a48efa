import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

x = tf.constant([1.0])  # want "Memory growth is not set"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, x)

# The session has a graph of its own.
with tf.compat.v1.Session(graph=tf.Graph()) as sess:
    y = tf.constant(2.0)
    print(sess.run(y))
