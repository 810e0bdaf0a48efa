import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
while True:  # <- here not "never ends"
    model.train_on_batch(*next(batches))
x = 1  # <- here not "no model is known"
