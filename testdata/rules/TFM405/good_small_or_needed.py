import tensorflow as tf

model = tf.keras.applications.ResNet50()
dataset = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
losses, arrays, means, kept = [], [], [], []
for x, y in dataset:
    out = model(x)
    losses.append(loss_fn(y, out))
    arrays.append(model(x).numpy())
    means.append(tf.reduce_mean(out))
    batch = []
    batch.append(model(x))
    with tf.GradientTape() as tape:
        kept.append(model(x))
        loss = tf.add_n(kept)
    tape.gradient(loss, model.trainable_variables)
