import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for epoch in range(3):
    model.fit(x, y, batch_size=  # <- here not "."
    print(epoch
