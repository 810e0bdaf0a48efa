# No scope is entered at all.
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1)])  # want "This model is built outside the scope of its strategy"
optimizer = tf.keras.optimizers.Adam()  # want "information: This optimizer is built outside"


def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def distributed_step(x, y):
    strategy.run(step, args=(x, y))


for x, y in strategy.experimental_distribute_dataset(dataset):
    distributed_step(x, y)
