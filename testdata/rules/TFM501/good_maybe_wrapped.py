import tensorflow as tf

opt = tf.keras.optimizers.Adam()


def step(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


if FLAGS.use_function:
    step = tf.function(step)
for x in data:
    step(x)
