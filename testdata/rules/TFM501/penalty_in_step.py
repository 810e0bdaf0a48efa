# The step is the tape whose gradients are applied. The one inside it is for the gradient penalty.
import tensorflow as tf

generator, critic = build()
optimizer = tf.keras.optimizers.Adam()
for images in dataset:
    with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 6"
        fake = generator(tf.random.normal([32, 100]), training=True)
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(images))
        with tf.GradientTape() as inner:
            inner.watch(fake)
            scores = critic(fake, training=True)
        slopes = inner.gradient(scores, fake)
        loss += tf.reduce_mean((tf.norm(slopes, axis=1) - 1) ** 2)
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
