# The parameters bear the names of what a loop binds.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for epoch in range(10):
    @tf.function  # want "This tf\.function is created, and therefore retraced, in every loop iteration\. The loop is on line 5\. A new function has no trace, so step is traced each time instead of once\. Create it before the loop\.$"
    def step(x, y, scale=1.0):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x) - y) * scale
        return tape.gradient(loss, model.trainable_variables)

    for x, y in batches:
        step(x, y, scale=2.0)
