import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Embedding(1000, 8), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y)  # <- here not "sparse gradients of an embedding"
