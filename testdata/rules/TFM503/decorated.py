import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def train(batches):
    """Makes the same function for every batch."""
    for batch in batches:

        @tf.function(jit_compile=True)  # want "warning: This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 8\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
        def step(x):
            # A comment.
            y = model(x)

            return y * 2

        total = step(batch)
        print(total)


train(batches)
while True:
    @tf.function  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 22\. A new function has no trace, so other is traced each time instead of once\. Create it before the loop\.$"
    def other(x): return x
    if other(1):
        break
