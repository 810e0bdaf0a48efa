"""Where Python cannot count the examples, or a strategy shares them."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
mean = tf.keras.losses.MeanSquaredError()
strategy = tf.distribute.MirroredStrategy()


@tf.function
def epoch(dataset: tf.data.Dataset):
    for x, y in dataset:  # <- here not "the loop is compiled"
        with tf.GradientTape() as tape:
            loss = mean(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:  # <- here not "no call of step is visible here"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


with strategy.scope():
    for x, y in tf.data.Dataset.from_tensor_slices((features, labels)).batch(8):  # <- here not "under a distribution strategy"
        with tf.GradientTape() as tape:
            loss = mean(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
