import tensorflow as tf

opt = tf.keras.optimizers.Adam()


class Agent:
    def learn(self, x):
        with tf.GradientTape() as tape:
            loss = model(x)
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


agent = Agent()
agent.learn = tf.function(agent.learn)
for x in data:
    agent.learn(x)
