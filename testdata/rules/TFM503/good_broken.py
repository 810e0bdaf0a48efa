import tensorflow as tf

for batch in batches:
    tf.function(

for batch in batches:
    @tf.function(
    def step(x):
        return x

    step(batch)
