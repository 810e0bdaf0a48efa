import tensorflow.compat.v1 as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(x)  # <- here not "TensorFlow 1"
