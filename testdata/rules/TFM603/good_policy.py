# device: 24 GiB
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy(POLICY)
model = tf.keras.applications.VGG16(weights=None)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(images, labels, batch_size=320)
