import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.history_of_losses = []

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.dense(x) - y)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.history_of_losses.append(loss)  # want "self\.history_of_losses gets one item per trace of train_step, not one per call\."
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Agent:
    def __init__(self):
        self.seen = []

    @tf.function
    def act(self, observation):
        action = tf.argmax(observation)
        self.seen.append(action)  # want "self.seen gets one item"
        return action


net = Net()
net.compile("adam")
net.fit(dataset)
Agent().act(observation)
