# The instance gets a new model in every turn.
import tensorflow as tf


class Search:
    def reset(self, size):
        self.model = build(size)

    def _step(self, x):
        return self.model(x)

    def run(self, x):
        step = tf.function(self._step)
        return step(x)


search = Search()
for size in sizes:
    search.reset(size)
    search.run(x)
