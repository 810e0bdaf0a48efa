import tensorflow as tf

AUTO = tf.data.AUTOTUNE
rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
model.fit(rows)  # want "The pipeline that reaches fit\(\) does not prefetch\."
