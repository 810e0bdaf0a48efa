# A step of a small model gains nothing that anybody would notice; one of a large model does, and of a
# model that is not known nothing is said.
import tensorflow as tf

small = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(16, "relu"), tf.keras.layers.Dense(1)])
large = tf.keras.applications.ResNet50(weights=None)
optimizer = tf.keras.optimizers.Adam()

for x, y in tf.data.Dataset.from_tensor_slices((tf.zeros((1000, 8)), tf.zeros((1000, 1)))).batch(32):
    with tf.GradientTape(persistent=True) as tape:  # want "hint: .* The whole step needs \d.* at most, so little is gained\.$"
        loss = tf.reduce_mean((small(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, small.trainable_variables)
    optimizer.apply_gradients(zip(gradients, small.trainable_variables))

for x, y in tf.data.Dataset.from_tensor_slices((tf.zeros((64, 224, 224, 3)), tf.zeros((64, 1000)))).batch(32):
    with tf.GradientTape(persistent=True) as tape:  # want "information: "
        loss = tf.reduce_mean((large(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, large.trainable_variables)
    optimizer.apply_gradients(zip(gradients, large.trainable_variables))

for x, y in batches:
    with tf.GradientTape(persistent=True) as tape:  # want "information: "
        loss = tf.reduce_mean((small(x, training=True) - y) ** 2)
    gradients = tape.gradient(loss, small.trainable_variables)
    optimizer.apply_gradients(zip(gradients, small.trainable_variables))
