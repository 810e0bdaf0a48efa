import tensorflow as tf

model = tf.keras.Sequential([
    tf.keras.layers.Input((32, 32, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
optimizer = tf.keras.optimizers.SGD(0.01)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        losses = loss_fn(labels, model(images, training=True))
    each = tape.jacobian(losses, model.trainable_variables)  # want "jacobian\(\) computes the gradients of all 256 outputs at once\."
    optimizer.apply_gradients((tf.reduce_mean(tf.clip_by_norm(g, 1.0, axes=list(range(1, len(g.shape)))), axis=0), v) for g, v in zip(each, model.trainable_variables))


images, labels = tf.zeros((1024, 32, 32, 3)), tf.zeros((1024,), tf.int32)
for batch in tf.data.Dataset.from_tensor_slices((images, labels)).batch(256):
    train_step(*batch)
