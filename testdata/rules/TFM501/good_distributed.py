import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
opt = tf.keras.optimizers.Adam()


def train_step(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@tf.function
def distributed(x):
    strategy.run(train_step, args=(x,))


for x in data:
    distributed(x)
