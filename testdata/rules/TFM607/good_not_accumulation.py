import tensorflow as tf

# A step every so many batches, a log every so many, a moving average of weights.
for step, (x, y) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    for target, source in zip(slow.variables, model.variables):
        target.assign_add(0.01 * (source - target))
    if step % 100 == 0:
        print(float(loss))

for step, (x, y) in enumerate(data):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    if step % 2 == 0:
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

# Half typed.
for step, (x, y) in enumerate(data):
    grads = tape.gradient(loss, model.trainable_variables)
    for t, g in zip(total, grads):
        t.assign_add(g)
    if step % 2 == 0:
        optimizer.apply_gradients(zip(total,
