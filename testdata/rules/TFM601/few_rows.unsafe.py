# device: 8 GiB
import numpy as np
import tensorflow as tf

images, labels = np.zeros((400, 224, 224, 3), "float32"), np.zeros((400,), "int32")
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=56)  # want "A batch of 400 will not fit the GPU\."
model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).repeat(2).batch(56))  # want "A batch of 800 will not fit the GPU\."
model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).repeat().batch(56))  # want "A batch of 600 will not fit the GPU\."
