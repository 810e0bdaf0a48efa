# device: 8 GiB
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["GPU:0", "GPU:1"])
with strategy.scope():
    model = tf.keras.applications.ResNet50(weights=None)
    model.compile("adam", "mse")
model.fit(x, y, batch_size=512)  # want "A batch of 512 \(256 on each of 2 GPUs\) will not fit\. Training needs about 20\.6 GiB of GPU memory \(19\.4 GiB to 23\.1 GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use 5\.91 GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is 122\.$"
model.fit(x, y, batch_size=64)
