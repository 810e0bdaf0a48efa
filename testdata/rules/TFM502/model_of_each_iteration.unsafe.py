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
    image = ascend(layer_model, image, index)  # want "layer_model is a new object in every iteration and causes retracing too\. Pass a tensor, and the same object\.$"

whole = part(base, 5)
for index in range(32):
    image = ascend(whole, image, tf.constant(index))  # want "Pass a tensor, which is traced once\.$"


def visualize(index):
    layer_model = part(base, index)
    picture = tf.random.uniform([1, 224, 224, 3])
    for _ in range(30):
        picture = ascend(layer_model, picture, index)  # want "layer_model is a new object in every iteration"


def shown(model, index):
    return ascend(model, image, index)  # want "model is a new object in every iteration"


class Painter:
    @tf.function
    def paint(self, index):
        return tf.one_hot(index, 3)


for index in range(32):
    visualize(index)
for index in range(32):
    shown(part(base, index), index)
for index in range(32):
    painter = Painter()
    painter.paint(index)  # want "painter is a new object in every iteration"
painter = Painter()
for index in range(32):
    painter.paint(tf.constant(index))  # want "Pass a tensor, which is traced once\.$"
