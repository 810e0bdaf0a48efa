# ram: 16 GiB
import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory("photos", image_size=(224, 224), batch_size=32)
model = tf.keras.applications.VGG16(weights=None, classes=14)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=10, callbacks=[tf.keras.callbacks.TensorBoard(log_dir="logs")])
small = tf.keras.applications.MobileNetV2(weights=None, classes=14)
small.compile("adam", "sparse_categorical_crossentropy")
small.fit(train, epochs=10, callbacks=[tf.keras.callbacks.TensorBoard(log_dir="logs", histogram_freq=1)])
