import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(lr=0.1), "mse")
model.fit(x, y)  # <- here not "gradient_accumulation_steps needs Keras 3, and the project has Keras 2"
