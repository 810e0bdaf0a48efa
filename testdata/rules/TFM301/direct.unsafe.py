import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(ds, epochs=2)  # want "error: This dataset reaches fit\(\) without a batch\. tf\.data\.Dataset\.from_tensor_slices on line 3 yields single examples, and each one is taken for a whole batch\. Batch the dataset\.$"
