# A trace knows the size of the batch that it is given.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
batches = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64, 1)))).batch(8)


@tf.function
def train_step(images, labels):  # want "train_step runs eagerly in every iteration of the loop on line 18"
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.reduce_sum((labels - predictions) ** 2) / labels.shape[0]
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for images, labels in batches:
    train_step(images, labels)
