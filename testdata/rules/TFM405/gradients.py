import tensorflow as tf

model = tf.keras.applications.ResNet50(weights=None, classes=10)
optimizer = tf.keras.optimizers.SGD(0.01)
dataset = tf.data.Dataset.from_tensor_slices((tf.zeros((6400, 224, 224, 3)), tf.zeros((6400, 10)))).batch(32)
history = []
norms = []
for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    history.append(gradients)  # want "information: history keeps the gradients of every step in GPU memory\. The loop on line 8 adds a set in each iteration\. Keep NumPy arrays, a sum, or the norms\.$"
    norms.append(tf.linalg.global_norm(gradients))
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
