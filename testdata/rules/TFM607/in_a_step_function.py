import tensorflow as tf


# A technique of a guide: the sum is of gradients of a loss that is not reduced, for
# Adam, and what is left over is dropped.
def apply_gradients(optimizer, gradients, variables):
    optimizer.apply_gradients(zip(gradients, variables))


def train_step(model, images, labels, optimizer, accumulated_gradients, gradient_accumulation_steps):
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.keras.losses.categorical_crossentropy(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    for i in range(len(accumulated_gradients)):
        accumulated_gradients[i].assign_add(gradients[i])

    if tf.equal((train_step.counter + 1) % gradient_accumulation_steps, 0):
        apply_gradients(optimizer, accumulated_gradients, model.trainable_variables)  # want "The last batches are lost if their number is not a multiple of gradient_accumulation_steps\. Nothing applies their gradients: apply them after the loop\.$"
        for g in accumulated_gradients:
            g.assign(tf.zeros_like(g))
    train_step.counter.assign_add(1)
    return loss


train_step.counter = tf.Variable(0, dtype=tf.int32, trainable=False)
model = tf.keras.applications.ResNet50(weights=None, input_shape=(224, 224, 3), classes=10)
optimizer = tf.keras.optimizers.Adam()
accumulated_gradients = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
for images, labels in train_dataset:
    loss = train_step(model, images, labels, optimizer, accumulated_gradients, 4)
