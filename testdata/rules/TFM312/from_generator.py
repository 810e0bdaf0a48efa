# tensorflow/tensorflow#37653: the function, and what it reads, outlive the dataset.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((16,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
signature = (tf.TensorSpec((16,)), tf.TensorSpec((1,)))


def rows(x):
    for row in x:
        yield row, row[:1]


while True:
    seen = np.random.rand(100_000, 16)
    data = tf.data.Dataset.from_generator(lambda: rows(seen), output_signature=signature).batch(64)
    model.fit(data, verbose=0)  # want "Each from_generator\(\) dataset that fit\(\) takes in the loop on line 15 stays"
