# device: 8 GiB
import tensorflow as tf
model = tf.keras.applications.VGG16(weights=None)
import numpy as np

# The policy would come too late after the imports.
model.compile("adam", "categorical_crossentropy")
model.fit(x, y, batch_size=128)  # want "With mixed_float16 this training needs about 6\.64 GiB less memory\."
