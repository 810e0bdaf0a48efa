# A second trace of a compiled step would make variables, which raises.
import tensorflow as tf

tf.config.experimental_run_functions_eagerly(True)  # want "Every tf\.function of the program runs eagerly from here on\. So does training, operation by operation\. Eager mode is for debugging, and slows training down\. Compiled, train_step would make variables in a second trace, which raises ValueError: build its models and optimizers before the first call\.$"
generator = tf.keras.Sequential([tf.keras.layers.Dense(1)])
generator_optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, on_generator):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(generator(x))
    gradients = tape.gradient(loss, generator.trainable_variables)
    if on_generator:
        generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    return loss


for i, x in enumerate(batches):
    train_step(x, on_generator=not i % 5)
