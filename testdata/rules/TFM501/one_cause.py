# A step of several tapes, or with several callers, is one cause.
import tensorflow as tf

generator_optimizer, critic_optimizer = tf.keras.optimizers.Adam(), tf.keras.optimizers.Adam()


def gan_step(images):  # want "information: gan_step runs eagerly in every iteration of the loop on line 23"
    with tf.GradientTape() as tape, tf.GradientTape() as critic_tape:
        loss = generator_loss(critic(generator(images)))
        critic_loss = loss_of(critic(images))
    gradients = tape.gradient(loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    gradients = critic_tape.gradient(critic_loss, critic.trainable_variables)
    critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))


def warm_up():
    for images in first:
        gan_step(images)


def train():
    for images in data:
        gan_step(images)


train()
warm_up()


def wasserstein_step(images):  # want "information: wasserstein_step runs eagerly in every iteration"
    for _ in range(5):
        with tf.GradientTape() as tape:
            loss = loss_of(critic(images))
        gradients = tape.gradient(loss, critic.trainable_variables)
        critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    with tf.GradientTape() as tape:
        loss = generator_loss(critic(generator(images)))
    gradients = tape.gradient(loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))


for images in data:
    wasserstein_step(images)

for epoch in range(100):
    for images in data:
        for batch in images:
            with tf.GradientTape() as tape:
                loss = loss_of(critic(batch))
            gradients = tape.gradient(loss, critic.trainable_variables)
            critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
        with tf.GradientTape() as tape:  # want "information: This training step runs eagerly in every iteration"
            loss = generator_loss(critic(generator(images)))
        gradients = tape.gradient(loss, generator.trainable_variables)
        generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
