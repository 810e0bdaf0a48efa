import tensorflow as tf


@tf.function
def ascend(model, image, index):
    with tf.GradientTape() as tape:
        tape.watch(image)
        loss = tf.reduce_mean(model(image)[..., index])
    return image + tape.gradient(loss, image)


def part(model, layer):
    return tf.keras.Model(model.inputs, model.layers[layer].output)


base = tf.keras.applications.VGG16(include_top=False)
image = tf.random.uniform([1, 224, 224, 3])
for index in range(32):
    layer_model = part(base, index)
    image = ascend(layer_model, image, index)  # want "layer_model is a new model in every iteration and causes retracing too\. Pass a tensor, and the same model\.$"

whole = part(base, 5)
for index in range(32):
    image = ascend(whole, image, tf.constant(index))  # want "Pass a tensor, which is traced once\.$"
