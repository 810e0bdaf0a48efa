# What the function reads is bound in the turn.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
for fold in range(10):
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(x, scale=fold):
        return model(x) * scale

    @tf.function
    def update(gradients):
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    for x in batches:
        update(step(x))
