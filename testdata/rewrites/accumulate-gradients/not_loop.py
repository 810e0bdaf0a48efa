"""Loops that are not known to come out the same."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
mean = tf.keras.losses.MeanSquaredError()
total = tf.keras.losses.MeanSquaredError(reduction="sum")
dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
single = tf.data.Dataset.from_tensor_slices((features, labels))

for x, y in dataset:  # <- here not "not reduced by a mean"
    with tf.GradientTape() as tape:
        loss = total(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "sum over the examples"
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(y - model(x)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "not known whether the loss"
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(y - model(x))) / tf.reduce_sum(y)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "not known whether the loss"
    with tf.GradientTape() as tape:
        loss = tf.keras.losses.mse(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "logits, of the whole batch, is read on line 41"
    with tf.GradientTape() as tape:
        logits = model(x)
        loss = mean(y, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(logits.shape)

for x, y in single:  # <- here not "single examples"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in batches_of(features):  # <- here not "not known to iterate over a tf.data.Dataset"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "more than one tape"
    with tf.GradientTape() as tape, tf.GradientTape() as other:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "gradients are taken twice"
    with tf.GradientTape(persistent=True) as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    more = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "noise of line 69, which may or may not"
    noise = tf.random.normal((64, 3))
    with tf.GradientTape() as tape:
        loss = mean(y, model(x + noise))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "the step ends early on line 79"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
        if loss < 0:
            break
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "not those of a list of variables"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, weight)
    optimizer.apply_gradients([(grads, weight)])

for x, y in dataset:  # <- here not "applied under a condition"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    if loss < 10:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "something else happens between the tape and its gradients, on line 99"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    print("a step")
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "no Keras model is called"
    with tf.GradientTape() as tape:
        loss = mean(y, tf.matmul(x, weight))
    grads = tape.gradient(loss, [weight])
    optimizer.apply_gradients(zip(grads, [weight]))

for x, y in dataset:  # <- here not "neither a call of fit here nor a loop or a function with a gradient tape"
    print(x)

while True:  # <- here not "in a for loop"
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))

for x, y in dataset:  # <- here not "the step reads x of line 119, which may or may not"
    x = tf.reduce_sum(x, axis=1)
    with tf.GradientTape() as tape:
        loss = mean(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
