# device: 8 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "mse")
model.fit(x, y, batch_size=512)  # want "a batch of 512, 256 on each of 2 GPUs needs about 20"
model.fit(x, y, batch_size=64)
