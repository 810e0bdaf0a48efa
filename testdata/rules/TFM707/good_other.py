import sys
import tensorflow as tf

# One device, and a strategy that only the run tells.
one = tf.distribute.OneDeviceStrategy("/gpu:0")
some = tf.distribute.MirroredStrategy() if len(sys.argv) > 1 else tf.distribute.get_strategy()
with some.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam()
with one.scope():
    other = tf.keras.Sequential([tf.keras.layers.Dense(10)])
plain = tf.keras.Sequential([tf.keras.layers.Dense(10)])
for step in range(100):
    x = tf.random.normal((32, 8))
    for net in (model, other):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(net(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(plain(x))
    tf.keras.optimizers.SGD().apply_gradients(zip(tape.gradient(loss, plain.trainable_variables), plain.trainable_variables))
