import tensorflow as tf

mirrored = tf.distribute.MirroredStrategy(devices=["/gpu:0", "/gpu:1"])


def build_generator():
    return tf.keras.Sequential([tf.keras.layers.Dense(128, activation="relu"), tf.keras.layers.Dense(784)])


with mirrored.scope():
    generator = build_generator()
    generator_optimizer = tf.keras.optimizers.Adam(1e-4)
    for epoch in range(10):
        noise = tf.random.normal([256, 100])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(generator(noise)))
        gradients = tape.gradient(loss, generator.trainable_variables)
        generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))  # want "warning: This step raises ValueError: the strategy does not run it\. The model is built in the scope on line 10, and within it DistributedVariable\.handle is not available outside the replica context\. Run it by mirrored\.run, or train with fit\.$"
