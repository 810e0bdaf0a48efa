import tensorflow as tf


def step(x):
    return x * 2


class Trainer:
    def __init__(self, model):
        self.model = model

    def _step(self, x):
        return self.model(x)

    def epoch(self, batches):
        compiled = tf.function(self._step)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 32\. A new function has no trace, so self\._step is traced each time instead of once\. Create it before the loop\.$"
        for batch in batches:
            compiled(batch)


def predict(x):
    return tf.function(step)(x)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 34\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"


fast = tf.function(step)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 25\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
for batch in batches:
    fast(batch)
    tf.function(step)(batch)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 25\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
    tf.function(jit_compile=True)(step)(batch)  # want "This tf\.function is created, and therefore retraced, in every loop iteration\."
    print(tf.function(lambda x: x * 2)(batch))  # want "this function is traced"
trainer = Trainer(model)
for epoch in range(10):
    trainer.epoch(batches)
for batch in batches:
    predict(batch)
results = [tf.function(step)(batch) for batch in batches]  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 36\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
