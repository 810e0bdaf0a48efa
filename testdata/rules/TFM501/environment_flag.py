# What an environment's step returns beside the state is Python's: int() reads no tensor.
import gymnasium as gym
import numpy as np
import tensorflow as tf

env = gym.make("CartPole-v1")
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class Agent:
    def learn(self, state, reward, following, done, last):  # want "learn runs eagerly in every iteration of the loop on line 25\. Move the tape and the update into a function with @tf\.function, and leave the rest of learn, which needs Python, outside\.$"
        with tf.GradientTape() as tape:
            target = float(reward) + 0.99 * critic(following) * (1 - int(done)) * (1 - int(last))
            loss = tf.reduce_mean(tf.square(critic(state) - target))
        grads = tape.gradient(loss, critic.trainable_variables)
        optimizer.apply_gradients(zip(grads, critic.trainable_variables))


agent = Agent()
for episode in range(100):
    state, _ = env.reset()
    done = False
    last = False
    while not done:
        following, reward, done, truncated, _ = env.step(env.action_space.sample())
        agent.learn(np.array([state]), reward, np.array([following]), done, last)
        state = following
