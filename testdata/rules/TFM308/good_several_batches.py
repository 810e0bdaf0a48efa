# With a batch size, what is predicted is more than one mini-batch.
import numpy as np
import tensorflow as tf

generator = tf.keras.models.load_model("generator.keras")
combined = tf.keras.models.load_model("combined.keras")
for step in range(10000):
    noise = np.random.normal(size=(16, 100))
    combined.train_on_batch(noise, np.ones(16))
    show(generator.predict(np.random.normal(size=(64, 100)), batch_size=16))
