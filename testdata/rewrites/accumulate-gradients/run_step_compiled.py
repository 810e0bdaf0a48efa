"""The step of TensorFlow's guide for experts, compiled: its metrics are objects that are
called, the last batches are smaller than the others, and one has fewer examples than parts."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(8)
x_train = np.random.normal(size=(67, 8, 8, 1)).astype("float32")
y_train = np.random.randint(0, 10, size=67)
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).batch(32).prefetch(tf.data.AUTOTUNE)


class MyModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(4, 3, activation="relu")
        self.flatten = tf.keras.layers.Flatten()
        self.out = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.out(self.flatten(self.conv(x)))


model = MyModel()
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)
train_loss = tf.keras.metrics.Mean(name="train_loss")
train_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="train_accuracy")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    train_loss(loss)
    train_accuracy(labels, predictions)


for epoch in range(3):
    train_loss.reset_state()
    train_accuracy.reset_state()
    for images, labels in train_ds:
        train_step(images, labels)  # <- here
    print(f"epoch {epoch}: {float(train_loss.result()):.4f} {float(train_accuracy.result()):.4f}")
