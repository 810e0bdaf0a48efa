import frameworks
import tensorflow as tf


class Agent(frameworks.Agent):
    def _train(self, experience):
        for x in range(self.epochs):
            with tf.GradientTape() as tape:
                loss = self.loss(experience)
            grads = tape.gradient(loss, self.variables)
            self._optimizer.apply_gradients(zip(grads, self.variables))
