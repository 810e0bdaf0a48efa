"""Where it is made is not known: there is no place outside of the loop."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
rows = rows if whole else tf.data.Dataset.from_tensor_slices((x, y)).batch(8)
for epoch in range(3):
    model.fit(rows)  # want "The pipeline that reaches fit\(\) does not prefetch\."
