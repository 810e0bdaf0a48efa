"""What a dataset makes is of float64, too, and would not mix."""
import tensorflow as tf

data = tf.data.Dataset.range(3).map(lambda v: tf.cast(v, tf.float64))
half = tf.constant(read_half(), tf.float64)  # want "This is created in float64, twice the size of float32\."
for v in data:
    print(v * half)
