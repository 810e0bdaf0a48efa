# Datasets whose text leaves sizes open: sentences that are padded to the longest of their batch.
# want: - fit ([4, 52] int32, [4] int32) of 13
# want: - ds dataset ([4, None] int32, [4] int32) None
# want: - model Sequential 1665 config

import tensorflow as tf


def sentences():
    for n in range(1, 50):
        yield list(range(n + 3)), n % 2


ds = tf.data.Dataset.from_generator(sentences, output_signature=(tf.TensorSpec((None,), tf.int32), tf.TensorSpec((), tf.int32)))
ds = ds.padded_batch(4)
model = tf.keras.Sequential([tf.keras.layers.Embedding(50, 8), tf.keras.layers.GRU(16), tf.keras.layers.Dense(1)])
model.build((None, None))
model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
model.fit(ds, verbose=2)
print("after")
