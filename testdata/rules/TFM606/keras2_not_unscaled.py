# keras: 2.13
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = optimizer.get_scaled_loss(loss_fn(y, model(x)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))  # want "The gradients of the scaled loss are applied without unscaling them\. The policy mixed_float16 is set on line 4\. They are 32768 times too large at first\. Apply what get_unscaled_gradients returns for them\.$"
