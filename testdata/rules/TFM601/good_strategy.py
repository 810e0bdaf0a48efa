# device: 4 GiB
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "mse")
model.fit(x, y, batch_size=4096)
