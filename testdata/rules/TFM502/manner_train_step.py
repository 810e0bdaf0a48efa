# A compiled training step that is also told the epoch.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(images, labels, epoch):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = loss_fn(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(num_epochs):
    for images, labels in dataset:
        train_step(images, labels, epoch)  # want "train_step is retraced for each value of epoch, a Python number\. The value changes in every iteration of the loop on line 19, and each of its values adds a graph\. Pass a tensor, which is traced once\.$"
