# device: 8 GiB
import numpy as np
import tensorflow as tf

BATCH_SIZE = 56  # want "A batch of 256 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"

model = tf.keras.applications.ResNet50(weights=None, classes=5)
optimizer = tf.keras.optimizers.Adam(1e-4)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
images = np.zeros((512, 224, 224, 3), "float32")
dataset = tf.data.Dataset.from_tensor_slices((images, np.zeros(512, "int32"))).batch(BATCH_SIZE)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in dataset:
    train_step(x, y)
