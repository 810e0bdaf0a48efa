import tensorflow as tf

for optimizer in ["sgd", "adam"]:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    model.fit(x, y)
while True:
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer, "mse")
    model.fit(x, y)
    break
