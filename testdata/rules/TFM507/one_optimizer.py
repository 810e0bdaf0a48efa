import tensorflow as tf

tf.config.experimental_run_functions_eagerly(True)  # want "Eager mode is for debugging, and slows training down\.$"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for x in batches:
    train_step(x)
