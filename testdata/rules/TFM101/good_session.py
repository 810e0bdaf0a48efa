import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
y = model(x)
with tf.Session() as sess:
    sess.run(y)
