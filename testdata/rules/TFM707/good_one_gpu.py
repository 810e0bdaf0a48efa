# keras: 2.13
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy(["/gpu:0"])
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    optimizer = tf.keras.optimizers.Adam()
for step in range(100):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(tf.random.normal((32, 8))))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
