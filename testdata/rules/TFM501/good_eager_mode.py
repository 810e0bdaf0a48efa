# Eager execution is asked for.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
if FLAGS.mode == "eager_tf":
    for x, y in batches:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
