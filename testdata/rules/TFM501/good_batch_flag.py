# What a batch holds, and what an object steps to that may be anything, is taken for a tensor.
import tensorflow as tf

critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


def learn(state, done):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(state)) * (1 - int(done))
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


def follow(state, done):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(state)) * (1 - int(done))
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))


for state, done in dataset:
    learn(state, done)
    learn(state, False)
    state, reward, done = simulator.step(state)
    follow(state, done)
