import tensorflow as tf

opt = tf.keras.optimizers.Adam()
losses = []


def step(x):  # want "step runs eagerly in every iteration of the loop on line 14\. Move the tape and the update into a function with @tf\.function, and leave the rest of step, which needs Python, outside\.$"
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    losses.append(loss.numpy())


while True:
    step(next(batches))
