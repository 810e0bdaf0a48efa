import tensorflow as tf


def make_step(model, scale=1.0):
    @tf.function  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 15\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
    def step(x):
        return model(x) * scale

    return step


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
once = make_step(model)
once(1)
for batch in batches:
    step = make_step(model)
    step(batch)
