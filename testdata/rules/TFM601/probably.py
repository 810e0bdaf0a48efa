# device: 8 GiB
import numpy as np
import tensorflow as tf

# Of the first the high end of the range is over what the GPU has, of the second the middle, of
# the third the low end.
images, labels = np.zeros((400, 224, 224, 3), "float32"), np.zeros((400,), "int32")
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=70)
model.fit(images, labels, batch_size=84)  # want "warning: Training with a batch of 84 needs about 6\.\d\d GiB of GPU memory \(5\.\d\d GiB to \d.*\) and probably does not fit: weights"
model.fit(images, labels, batch_size=128)  # want "warning: Training with a batch of 128 needs about 9\.\d\d GiB of GPU memory \(8\.\d\d GiB to .*\) and will not fit: weights"
