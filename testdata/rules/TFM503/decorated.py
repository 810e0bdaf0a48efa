import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def train(batches):
    """Makes the same function for every batch."""
    for batch in batches:

        @tf.function(jit_compile=True)  # want "warning: tf.function makes a new function in every turn of the loop on line 8, and a new one has no trace: step is traced in each turn instead of once."
        def step(x):
            # A comment.
            y = model(x)

            return y * 2

        total = step(batch)
        print(total)


train(batches)
while True:
    @tf.function  # want "loop on line 22"
    def other(x): return x
    if other(1):
        break
