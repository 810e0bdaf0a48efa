# The step is compiled for the first optimizer; the second one has no variables yet.
import tensorflow as tf

tf.config.run_functions_eagerly(True)  # want "Compiled, train_step would make variables in a second trace"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


@tf.function
def train_step(x, optimizer):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def train(optimizer):
    for x in batches:
        train_step(x, optimizer)


train(tf.keras.optimizers.Adam(0.1))
train(tf.keras.optimizers.SGD(0.1))
