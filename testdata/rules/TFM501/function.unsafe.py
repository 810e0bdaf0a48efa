import tensorflow as tf

optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(x, y):  # want "information: step runs eagerly in every iteration of the loop on line 15\."
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for epoch in range(5):
    for x, y in dataset:
        step(x, y)
