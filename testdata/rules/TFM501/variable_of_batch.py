"""A variable that is an argument of the step, made for each batch."""
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.Adam()

for images in load_data():
    z = tf.Variable(tf.random.normal((32, 8)))
    with tf.GradientTape() as tape:  # want "Move it into a function with @tf.function, which is compiled once"
        loss = tf.reduce_mean(tf.square(model(tf.concat([images, z], 1))))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
