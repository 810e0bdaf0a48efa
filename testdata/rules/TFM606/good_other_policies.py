import tensorflow as tf

# bfloat16 has the range of float32; and what is chosen elsewhere is not known.
tf.keras.mixed_precision.set_global_policy("mixed_bfloat16")
tf.keras.mixed_precision.set_global_policy("mixed_float16" if gpu else "float32")
print("mixed_float16 is another")
for x, y in data:
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
