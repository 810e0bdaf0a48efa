"""A step that nothing compiles, which clips the values of its gradients into another list."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((512,)), layers.Dense(2048, activation="relu"), layers.Dense(1024, activation="relu"), layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((tf.random.normal((640, 512)), tf.zeros((640,), tf.int32))).batch(64)


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    clipped = [tf.clip_by_value(g, -1.0, 1.0) for g in gradients]
    optimizer.apply_gradients(zip(clipped, model.trainable_variables))
    return loss


for images, labels in data:
    train_step(images, labels)
