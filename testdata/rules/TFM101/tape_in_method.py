"""The class trains by a method of a base that is not in the project, and predicts by its derivative."""
import tensorflow as tf
from lab import Network


class Informed(Network):
    def residual(self, x, t):
        with tf.GradientTape() as tape:
            tape.watch(x)
            u = self.model(tf.stack([x, t], axis=1))  # want "Memory growth is not set"
        return tape.gradient(u, x) + u

    def predict(self, x, t):
        return self.residual(x, t).numpy()


informed = Informed()
informed.fit(x, t, u)
print(informed.predict(x, t))
