"""Accumulates gradients by hand, as forum answers do."""
import tensorflow as tf


def update(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables))


def micro_step(model, images, labels, optimizer, sums, every):  # want "micro_step runs eagerly in every iteration of the loop on line 27\."
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.categorical_crossentropy(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(sums, gradients):
        total.assign_add(gradient)
    if tf.equal((micro_step.counter + 1) % every, 0):
        update(optimizer, sums, model.trainable_variables)
        for total in sums:
            total.assign(tf.zeros_like(total))
    micro_step.counter.assign_add(1)
    return loss


micro_step.counter = tf.Variable(0, trainable=False)
model = tf.keras.applications.ResNet50(weights=None, classes=10)
optimizer = tf.keras.optimizers.Adam()
sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for images, labels in train_dataset:
    micro_step(model, images, labels, optimizer, sums, 4)
