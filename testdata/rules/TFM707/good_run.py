import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam()


def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y)) / strategy.num_replicas_in_sync
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def distributed(x, y):
    strategy.run(train_step, args=(x, y))


data = tf.data.Dataset.from_tensor_slices((tf.zeros((64, 4)), tf.zeros((64, 10)))).batch(16)
for x, y in strategy.experimental_distribute_dataset(data):
    distributed(x, y)
