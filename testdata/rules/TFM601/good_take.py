# device: 8 GiB
import tensorflow as tf

model = tf.keras.applications.VGG16(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
files = tf.keras.utils.image_dataset_from_directory("d", image_size=(224, 224), batch_size=None)
model.fit(files.take(8).shuffle(8).batch(256))
