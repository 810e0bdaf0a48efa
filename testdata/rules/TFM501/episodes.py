"""Each step trains on a whole episode, and no two of them have one length."""
import gym
import numpy as np
import tensorflow as tf

env = gym.make("CartPole-v1")
optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])


def train_step(states, actions, returns):  # want "Compile it with @tf\.function\(reduce_retracing=True\), or pad states and actions and returns to one length: if each call has another number of them, as episodes do, a plain @tf\.function is traced for each\.$"
    with tf.GradientTape() as tape:
        logits = model(states)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits) * returns)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for episode in range(1000):
    states, actions, rewards = [], [], []
    state = env.reset()
    done = False
    while not done:
        action = np.random.choice(2)
        states.append(state)
        actions.append(action)
        state, reward, done, _ = env.step(action)
        rewards.append(reward)
    train_step(np.array(states, dtype=np.float32), np.array(actions, dtype=np.int32), np.array(rewards, dtype=np.float32))
