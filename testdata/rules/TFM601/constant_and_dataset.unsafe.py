# device: 8 GiB
import tensorflow as tf

BATCH_SIZE = 56  # want "Training with a batch of 256 .*optimizer 180 MiB"
IMAGE = (224, 224)

train = tf.keras.utils.image_dataset_from_directory("train", image_size=IMAGE, batch_size=BATCH_SIZE)
model = tf.keras.applications.ResNet50(weights=None, classes=5)
model.compile(optimizer=tf.keras.optimizers.Adam(1e-4), loss="sparse_categorical_crossentropy")
model.fit(train, epochs=3)
