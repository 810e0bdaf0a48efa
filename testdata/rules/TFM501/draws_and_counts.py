# A trace does not know the size of the batch that it draws: None has no quotient.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
batches = iter(tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64, 1)))).repeat().batch(8))


def train_step():  # want "train_step runs eagerly in every iteration of the loop on line 19\. Draw the batch outside, and compile a function with @tf\.function that is given it: one that draws it would read None for its size\.$"
    images, labels = next(batches)
    with tf.GradientTape() as tape:
        predictions = model(images, training=True)
        loss = tf.reduce_sum((labels - predictions) ** 2) / labels.shape[0]
    variables = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    return loss


for _ in range(1000):
    train_step()
