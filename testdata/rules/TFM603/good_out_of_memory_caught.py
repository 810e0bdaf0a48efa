# device: 8 GiB
import tensorflow as tf


def fits(model, batch):
    try:
        model.fit(x, y, batch_size=batch)
    except (tf.errors.ResourceExhaustedError, tf.errors.InternalError):
        return False
    return True


model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "sparse_categorical_crossentropy")
for batch in (1024, 512, 256, 128, 64, 32):
    if fits(model, batch):
        break

from tensorflow.python.framework.errors_impl import ResourceExhaustedError as OOM

try:
    model.fit(x, y, batch_size=512)
except OOM:
    model.fit(x, y, batch_size=16)
