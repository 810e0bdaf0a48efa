# keras: 2.13
import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")
optimizer = tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD(0.1))
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))  # want "Nothing scales the loss under mixed_float16\. The policy mixed_float16 is set on line [\d.]+\. Gradients below [\d.]+e-[\d.]+ become zero in float16\. Compute the gradients of optimizer\.get_scaled_loss\(loss\), and apply what get_unscaled_gradients returns for them\.$"
