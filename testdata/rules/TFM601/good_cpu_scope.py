# device: 8 GiB
import tensorflow as tf

with tf.device("/CPU:0"):
    model = tf.keras.applications.VGG19(weights=None)
    model.compile("adam", "categorical_crossentropy")
    model.fit(x, y, batch_size=512)
