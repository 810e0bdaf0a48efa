# device: 4 GiB
import tensorflow as tf

# A file with a tape only: the step is named, and not again the models that it trains.
encoder = tf.keras.Sequential([tf.keras.Input((4096,))] + [tf.keras.layers.Dense(4096) for _ in range(32)])
decoder = tf.keras.Sequential([tf.keras.Input((4096,)), tf.keras.layers.Dense(4096)])
optimizer = tf.keras.optimizers.Adam()


@tf.function
def step(images):
    with tf.GradientTape() as tape:  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(2\.06 GiB\) and the state of Adam \(4\.13 GiB\) are 6\.19 GiB together, before any data\."
        loss = tf.reduce_mean(tf.square(decoder(encoder(images, training=True), training=True) - images))
    variables = encoder.trainable_variables + decoder.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))


for images in tf.data.Dataset.from_tensor_slices(tf.random.normal((64, 4096))).batch(8):
    step(images)
