# A step of tf.function: it is only traced.
# verify: not verified: Keras does not run it
# want: - xb [16, 9] float32
# want: train_step gradient
# want: train_step x [16, 9] float32
# want: - model Sequential 177 config

import tensorflow as tf
model = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
opt = tf.keras.optimizers.Adam(1e-3)
@tf.function
def train_step(x, y):
    for _ in tf.range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x, training=True) - y) ** 2)
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss
ds = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 9)), tf.zeros((64, 1)))).batch(16)
for epoch in range(2):
    for xb, yb in ds:
        loss = train_step(xb, yb)
        print("step", flush=True)
print("after")
