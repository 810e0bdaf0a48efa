# A part of each element is a single number, which a batch does not have.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")

shapes = tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), ((8,), ()))
model.fit(shapes)  # want "tf\.data\.Dataset\.from_generator on line 7 yields single examples"

objects = tf.data.Dataset.from_generator(
    rows, output_types=(tf.float32, tf.int32), output_shapes=(tf.TensorShape([8]), tf.TensorShape([])))
model.fit(objects)  # want "yields single examples"

spec = ({"words": tf.TensorSpec((8,), tf.int32)}, tf.TensorSpec([], tf.float32))
named = tf.data.Dataset.from_generator(rows, output_signature=spec)
model.fit(named)  # want "yields single examples"

by_name = tf.data.Dataset.from_generator(rows, ({"words": tf.int32}, tf.float32), ({"words": [8]}, []))
model.fit(by_name)  # want "yields single examples"
