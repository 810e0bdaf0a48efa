"""Steps in functions of their own that are not known to come out the same."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
mean = tf.keras.losses.MeanSquaredError()
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(8)


@tf.function(input_signature=[tf.TensorSpec((None, 4)), tf.TensorSpec((None, 1))])
def of_any_size(x, y):
    with tf.GradientTape() as tape:  # <- here not "input_signature"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


@tf.function(reduce_retracing=True)
def relaxed(x, y):
    with tf.GradientTape() as tape:  # <- here not "reduce_retracing"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


@tf.function
def inner(x, y):
    with tf.GradientTape() as tape:  # <- here not "compiled code calls it"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


@tf.function
def epoch(data: tf.data.Dataset):
    for x, y in data:
        inner(x, y)


def outputs(x, y):
    with tf.GradientTape() as tape:  # <- here not "logits, of the whole batch, is read on line 46"
        logits = model(x)
        loss = mean(y, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return logits


def uncalled(x, y):
    with tf.GradientTape() as tape:  # <- here not "no call of uncalled is visible here"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def iterated(x, y):
    with tf.GradientTape() as tape:  # <- here not "the step reads x of line 56, which may or may not"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def noisy(x, y, noise):
    with tf.GradientTape() as tape:  # <- here not "the step reads noise of line 63, which may or may not"
        loss = mean(y, model(x + noise))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def replica(x, y):
    with tf.GradientTape() as tape:  # <- here not "replica escapes on line 93"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


def elsewhere(x, y):
    with tf.GradientTape() as tape:  # <- here not "elsewhere escapes on line 95"
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


strategy = tf.distribute.MirroredStrategy()
batches = iter(dataset)
epoch(dataset)
for x, y in dataset:
    of_any_size(x, y)
    relaxed(x, y)
    print(outputs(x, y))
    iterated(*next(batches))
    noisy(x, y, tf.random.normal((8, 4)))
    strategy.run(replica, args=(x, y))
    elsewhere(x, y)
    queue.put(elsewhere)
