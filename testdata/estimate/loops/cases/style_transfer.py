"""An image is the variable: its features are brought near those of others."""

import tensorflow as tf

content = tf.zeros((1, 224, 224, 3))
backbone = tf.keras.applications.VGG16(include_top=False, weights=None)
backbone.trainable = False
names = ["block1_conv1", "block2_conv1", "block3_conv1", "block4_conv1"]
extractor = tf.keras.Model(backbone.input, [backbone.get_layer(name).output for name in names])
optimizer = tf.keras.optimizers.Adam(learning_rate=0.02)
image = tf.Variable(content)


def gram_matrix(x):
    result = tf.linalg.einsum("bijc,bijd->bcd", x, x)
    shape = tf.shape(x)
    locations = tf.cast(shape[1] * shape[2], tf.float32)
    return result / locations


targets = [tf.zeros((1, n, n)) for n in (64, 128, 256, 512)]


@tf.function
def train_step(image):
    with tf.GradientTape() as tape:
        outputs = extractor(image)
        grams = [gram_matrix(x) for x in outputs]
        loss = tf.add_n([tf.reduce_mean((g - t) ** 2) for g, t in zip(grams, targets)])
    grad = tape.gradient(loss, image)
    optimizer.apply_gradients([(grad, image)])
    image.assign(tf.clip_by_value(image, 0.0, 1.0))


for step in range(2):
    train_step(image)
