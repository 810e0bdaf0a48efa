# device: 4 GiB
import tensorflow as tf

with tf.device("/CPU:0"):
    data = tf.data.Dataset.from_tensor_slices(x).batch(8)
inputs = tf.keras.Input((64,), dtype="int32")
x = tf.keras.layers.Embedding(3_000_000, 512)(inputs)
model = tf.keras.Model(inputs, tf.keras.layers.GlobalAveragePooling1D()(x))  # want "error: The weights of this model do not fit the GPU\. They are 5\.72 GiB\. TensorFlow can use 1\.91 GiB of a GPU of 4 GiB \(named by the case\)\. The layer \"embedding\" \(Embedding\) has 1536000000 of its 1536000000 parameters\. It would fit a GPU of 22 GiB\.$"
model.predict(data)
