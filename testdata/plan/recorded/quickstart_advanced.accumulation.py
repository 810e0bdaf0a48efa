"""After TensorFlow's "TensorFlow 2 quickstart for experts": a step with a tape, on larger pictures."""
# device: 1530 MiB
# keras: 3.15
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Dense, Flatten, Input
from tensorflow.keras.models import Sequential

x_train = np.zeros((40_000, 64, 64, 1), "float32")
y_train = np.zeros((40_000,), "int64")
train_ds = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(1000).batch(64)

model = Sequential([
    Input((64, 64, 1)),
    Conv2D(16, 3, activation="relu"),
    Flatten(),
    Dense(32, activation="relu"),
    Dense(10),
])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(images, labels):
    # Each batch is taken in two parts, whose gradients are averaged.
    batch = (images, labels)
    size = tf.nest.flatten(batch)[0].shape[0]
    rows = (size + 1) // 2
    gradients = []
    for start in range(0, size, rows):
        with tf.control_dependencies([g for g in gradients if g is not None]):  # one part after the other
            images, labels = tf.nest.map_structure(lambda t: t[start:start + rows], batch)
        with tf.GradientTape() as tape:
            predictions = model(images, training=True)
            loss = loss_object(labels, predictions)
        share = min(rows, size - start) / size
        if start == 0:
            gradients = [None] * len(model.trainable_variables)
        for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
            if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
                values, indices = share * part.values, part.indices
                if gradients[i] is not None:
                    values = tf.concat([gradients[i].values, values], 0)
                    indices = tf.concat([gradients[i].indices, indices], 0)
                gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
            elif part is not None:
                part = share * part
                gradients[i] = part if gradients[i] is None else gradients[i] + part
        mean_loss = share * loss if start == 0 else mean_loss + share * loss
    loss = mean_loss
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(5):
    for images, labels in train_ds:
        train_step(images, labels)
