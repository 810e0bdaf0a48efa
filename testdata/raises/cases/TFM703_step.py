# rule: TFM703
# raises: `colocate_vars_with` must only be passed a variable created in this tf.distribute.Strategy.scope()
# keras: 2
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
with strategy.scope():
    optimizer = tf.keras.optimizers.Adam()


def step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x)))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


strategy.run(step, args=(tf.ones([8, 4]),))
