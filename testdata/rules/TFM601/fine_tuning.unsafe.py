# device: 12 GiB
# keras: 3.8
import tensorflow as tf

BATCH = 40  # want "A batch of 96 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of [\d.]+ GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"
train = tf.keras.utils.image_dataset_from_directory("data", image_size=(300, 300), batch_size=BATCH)
base = tf.keras.applications.EfficientNetB3(include_top=False, input_shape=(300, 300, 3))
base.trainable = False
inputs = tf.keras.Input((300, 300, 3))
x = tf.keras.layers.GlobalAveragePooling2D()(base(inputs, training=False))
model = tf.keras.Model(inputs, tf.keras.layers.Dense(5)(x))
loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
# Only the head is trained: nothing of the base is kept.
head = tf.keras.utils.image_dataset_from_directory("data", image_size=(300, 300), batch_size=128)
model.compile("adam", loss)
model.fit(head, epochs=5)
base.trainable = True
model.compile(tf.keras.optimizers.SGD(1e-5), loss)
model.fit(train, epochs=5)
