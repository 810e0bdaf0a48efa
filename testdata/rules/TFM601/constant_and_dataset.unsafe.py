# device: 8 GiB
import tensorflow as tf

BATCH_SIZE = 56  # want "A batch of 256 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"
IMAGE = (224, 224)

train = tf.keras.utils.image_dataset_from_directory("train", image_size=IMAGE, batch_size=BATCH_SIZE)
model = tf.keras.applications.ResNet50(weights=None, classes=5)
model.compile(optimizer=tf.keras.optimizers.Adam(1e-4), loss="sparse_categorical_crossentropy")
model.fit(train, epochs=3)
