"""A loop that ends in a break trains on one batch: nothing is repeated."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x, y in load():
    print(train_step(x, y))
    break

for x, y in load():
    with open("log", "a") as log:
        log.write(str(train_step(x, y)))
        break  # the first is enough
    # to see that it works

for epoch in range(1):
    for x, y in load():
        train_step(x, y)
        break

for epoch in range(3):
    for x, y in load():
        train_step(x, y)
        break
