import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((16,), dtype="int32"),
    tf.keras.layers.Embedding(1000, 8),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1),
])
optimizer = tf.keras.optimizers.Adam()
total = [tf.Variable(tf.zeros_like(v)) for v in model.trainable_variables]
for step, (x, y) in enumerate(data.repeat().take(64)):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x))
    grads = tape.gradient(loss, model.trainable_variables)
    for t, g in zip(total, grads):
        t.assign_add(g / 4)
    if (step + 1) % 4 == 0:
        optimizer.apply_gradients(zip(total, model.trainable_variables))  # want "Arithmetic on the gradient of an Embedding raises TypeError\. The gradient is IndexedSlices, and the arithmetic on line 16 raises TypeError: unsupported operand type\(s\)\. Convert it with tf\.convert_to_tensor first\.$"
        for t in total:
            t.assign(tf.zeros_like(t))
