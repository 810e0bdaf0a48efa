# device: 8 GiB
import numpy as np
import tensorflow as tf

# Of the first the high end of the range is over what the GPU has, of the second the middle, of
# the third the low end.
images, labels = np.zeros((130, 224, 224, 3), "float32"), np.zeros((130,), "int32")
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=70)
model.fit(images, labels, batch_size=84)  # want "warning: A batch of 84 probably does not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"
model.fit(images, labels, batch_size=128)  # want "warning: A batch of 128 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"
