# device: 8 GiB
import os

import numpy as np
import tensorflow as tf

images, labels = np.zeros((512, 600, 600, 3), "float32"), np.zeros((512, 1000), "float32")
model = tf.keras.applications.EfficientNetB7(weights=None)
model.compile("adam", "categorical_crossentropy")
model.fit(images, labels, epochs=3)  # want "A batch of 32 will not fit the GPU\."
model.fit(  # want "A batch of 32 will not fit the GPU\."
    images,
    labels,
)
model.fit(images, labels, batch_size=None)  # want "A batch of 32 will not fit the GPU\."
model.fit(images, labels, batch_size=int(os.environ.get("BATCH", "16")))  # want "A batch of 16 will not fit the GPU\."
