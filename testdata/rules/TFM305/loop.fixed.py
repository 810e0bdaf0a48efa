import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
rows = tf.data.Dataset.from_tensor_slices((x, y)).map(parse, num_parallel_calls=tf.data.experimental.AUTOTUNE).batch(8)
for x, y in rows.prefetch(tf.data.experimental.AUTOTUNE):  # want "The pipeline that reaches the training loop does not prefetch\."
    with tf.GradientTape() as tape:
        loss = loss_of(y, model(x))
