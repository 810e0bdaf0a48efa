"""An ordinary tape frees itself: to delete it, or not to, changes nothing."""
import tensorflow as tf

for x, target in batches:
    with tf.GradientTape() as tape:
        y = model(x)
        loss = tf.reduce_mean(tf.square(y - target))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    del y
