import tensorflow as tf


class Agent:
    def __init__(self, actions):
        self.actions = actions
        self.sess = tf.Session(graph=self.build(), config=None)  # want "without memory growth"

    def build(self):
        return tf.Graph()


if __name__ == "__main__":
    Agent(4).run()
