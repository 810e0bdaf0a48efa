# rule: TFM707
# raises: DistributedVariable.handle is not available outside the replica context
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()


def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(tf.ones([8, 4]))))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


strategy.run(step)
