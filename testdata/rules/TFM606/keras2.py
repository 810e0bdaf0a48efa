# keras: 2.13
import tensorflow as tf
from tensorflow.keras import mixed_precision

policy = mixed_precision.Policy("mixed_float16")
mixed_precision.set_global_policy(policy)
optimizer = tf.keras.optimizers.SGD(0.1)


def main():
    for x, y in data:
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x))
        grads = tape.gradient(loss, model.trainable_variables)
        grads, norm = tf.clip_by_global_norm(grads, 1.0)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))  # want "warning: Nothing scales the loss under mixed_float16\. The policy mixed_float16 is set on line 6\. Gradients below 6e-8 become zero in float16\. Wrap the optimizer in LossScaleOptimizer, compute the gradients of get_scaled_loss\(loss\), and apply what get_unscaled_gradients returns for them\.$"
