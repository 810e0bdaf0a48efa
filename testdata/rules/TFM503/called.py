import tensorflow as tf


def step(x):
    return x * 2


class Trainer:
    def __init__(self, model):
        self.model = model

    def _step(self, x):
        return self.model(x)

    def epoch(self, batches):
        compiled = tf.function(self._step)  # want "loop on line 32.*: self._step is traced in each turn"
        for batch in batches:
            compiled(batch)


def predict(x):
    return tf.function(step)(x)  # want "loop on line 34.*: step is traced"


for batch in batches:
    fast = tf.function(step)  # want "loop on line 25"
    fast(batch)
    tf.function(step)(batch)  # want "loop on line 25"
    tf.function(jit_compile=True)(step)(batch)  # want "step is traced in each turn"
    print(tf.function(lambda x: x * 2)(batch))  # want "this function is traced"
trainer = Trainer(model)
for epoch in range(10):
    trainer.epoch(batches)
for batch in batches:
    predict(batch)
results = [tf.function(step)(batch) for batch in batches]  # want "loop on line 36"
