# device: 8 GiB
import numpy as np
import tensorflow as tf

images, labels = np.zeros((40, 224, 224, 3), "float32"), np.zeros((40,), "int32")
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
# No batch has more rows than there are.
model.fit(images, labels, batch_size=1024)
model.fit(tf.data.Dataset.from_tensor_slices((images, labels)).batch(1024))
model.fit(np.zeros((96, 224, 224, 3), "float32"), np.zeros((96,), "int32"), batch_size=1024, validation_split=0.5)
