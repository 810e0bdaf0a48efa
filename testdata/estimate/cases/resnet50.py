"""Train ResNet50 from scratch."""
import numpy as np
import tensorflow as tf

BATCH_SIZE = 8

model = tf.keras.applications.ResNet50(weights=None, classes=1000)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])

images = np.zeros((BATCH_SIZE * 2, 224, 224, 3), dtype=np.float32)
labels = np.zeros((BATCH_SIZE * 2,), dtype=np.int32)
model.fit(images, labels, batch_size=BATCH_SIZE)
