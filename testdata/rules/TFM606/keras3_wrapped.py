# keras: 3.8
import keras
import tensorflow as tf

keras.config.set_dtype_policy("mixed_float16")
optimizer = keras.mixed_precision.LossScaleOptimizer(keras.optimizers.Adam())


def step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply(grads, model.trainable_variables)  # want "The loss is not scaled, but its gradients are divided by the scale\. The policy mixed_float16 is set on line 5\. LossScaleOptimizer divides them by 32768 at first, so the updates are that much too small\. Compute the gradients of optimizer\.scale_loss\(loss\)\.$"
