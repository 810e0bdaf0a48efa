import numpy as np
import tensorflow as tf
from tensorflow import keras

OBS, ACT, BATCH, HIDDEN = 376, 17, 1024, 1024


def mlp(in_dim, out_dim, name):
    return keras.Sequential([keras.layers.Input((in_dim,)), keras.layers.Dense(HIDDEN, "relu"), keras.layers.Dense(HIDDEN, "relu"), keras.layers.Dense(out_dim)], name=name)


class Agent:
    def __init__(self):
        self.actor = mlp(OBS, 2 * ACT, "actor")
        self.q = [mlp(OBS + ACT, 1, f"q{i}") for i in range(2)]
        self.q_target = [mlp(OBS + ACT, 1, f"qt{i}") for i in range(2)]
        for a, b in zip(self.q, self.q_target):
            b.set_weights(a.get_weights())
        self.log_alpha = tf.Variable(0.0)
        self.opt_a, self.opt_q, self.opt_alpha = (keras.optimizers.Adam(3e-4) for _ in range(3))

    def sample(self, s):
        mu, log_std = tf.split(self.actor(s), 2, axis=-1)
        std = tf.exp(tf.clip_by_value(log_std, -20.0, 2.0))
        noise = tf.random.normal(tf.shape(mu))
        pre = mu + std * noise
        a = tf.tanh(pre)
        logp = -0.5 * (noise ** 2 + 2 * log_std + np.log(2 * np.pi)) - tf.math.log(1 - a ** 2 + 1e-6)
        return a, tf.reduce_sum(logp, -1, keepdims=True)

    @tf.function
    def update(self, s, a, r, s2, d):
        a2, lp2 = self.sample(s2)
        t_in = tf.concat([s2, a2], -1)
        tq = tf.minimum(*[q(t_in) for q in self.q_target]) - tf.exp(self.log_alpha) * lp2
        target = tf.stop_gradient(r + 0.99 * (1 - d) * tq)
        with tf.GradientTape() as tape:
            sa = tf.concat([s, a], -1)
            q_loss = tf.add_n([tf.reduce_mean((q(sa) - target) ** 2) for q in self.q])
        qv = [v for q in self.q for v in q.trainable_variables]
        self.opt_q.apply_gradients(zip(tape.gradient(q_loss, qv), qv))
        with tf.GradientTape() as tape:
            a_new, lp = self.sample(s)
            s_new = tf.concat([s, a_new], -1)
            q_min = tf.reduce_min(tf.concat([q(s_new) for q in self.q], -1), axis=-1, keepdims=True)
            pi_loss = tf.reduce_mean(tf.exp(self.log_alpha) * lp - q_min)
        av = self.actor.trainable_variables
        self.opt_a.apply_gradients(zip(tape.gradient(pi_loss, av), av))
        with tf.GradientTape() as tape:
            alpha_loss = -tf.reduce_mean(self.log_alpha * tf.stop_gradient(lp - ACT))
        self.opt_alpha.apply_gradients([(tape.gradient(alpha_loss, self.log_alpha), self.log_alpha)])
        for src, dst in zip(self.q, self.q_target):
            for v, t in zip(src.variables, dst.variables):
                t.assign(0.995 * t + 0.005 * v)
        return q_loss


agent = Agent()
for _ in range(3):
    batch = [tf.random.normal((BATCH, OBS)), tf.random.uniform((BATCH, ACT), -1, 1), tf.random.normal((BATCH, 1)), tf.random.normal((BATCH, OBS)), tf.zeros((BATCH, 1))]
    agent.update(*batch)
