"""Decorated, in a class that may be anything: traced wherever it is called."""
import tensorflow as tf

from elsewhere import Policy


class Agent(Policy):
    def train(self, x):
        return self._update(x)

    @tf.function
    def _update(self, x):
        with tf.device(self.device):
            with tf.GradientTape() as tape:  # want "hint: .*The tape lives only while this code is traced into a graph"
                loss = self.model(x)
            return tape.gradient(loss, self.variables)
