# rule: TFM707
# raises: Need to be inside "with strategy.scope()"
# keras: 3
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["CPU:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam()
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(model(tf.ones([8, 4]))))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
