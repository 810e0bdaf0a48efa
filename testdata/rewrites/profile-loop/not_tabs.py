import tensorflow as tf

if fast:
    print(1)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for seed in range(3):  # <- here not "by tabs in one place and by spaces"
	model.fit(x)
