import tensorflow as tf

opt = tf.keras.optimizers.Adam()
x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x * x
opt.apply_gradients([(tape.gradient(y, x), x)])
