# A test takes a step or two.
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
for x, y in batches:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def test_it():
    assert True
