import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def learn(self, states, targets):  # want "learn runs eagerly .* line 18"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(states) - targets))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


def main():
    agent = Agent()
    for _ in range(100):
        agent.learn(*sample())


if __name__ == "__main__":
    main()
