import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "This model is built outside the scope of its strategy\. The strategy is on line 20, and the model is trained by it: its variables are not on the strategy's devices, and Keras 2 raises ValueError: `colocate_vars_with` must only be passed a variable created in this tf\.distribute\.Strategy\.scope\(\), Keras 3 that or an AssertionError, or it trains without the strategy\. Build it inside the scope\.$"
with strategy.scope():
    loss_object = tf.keras.losses.MeanSquaredError(reduction="none")
optimizer = tf.keras.optimizers.Adam()  # want "information: This optimizer is built outside the scope of its model's strategy\. The model trains under the strategy on line 20: Keras 3 raises RuntimeError: Mixing different tf\.distribute\.Strategy objects\. Build it inside the scope\.$"


def step(batch):
    x, y = batch
    with tf.GradientTape() as tape:
        loss = loss_object(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


@tf.function
def distributed_step(batch):
    strategy.run(step, args=(batch,))


for batch in strategy.experimental_distribute_dataset(dataset):
    distributed_step(batch)
