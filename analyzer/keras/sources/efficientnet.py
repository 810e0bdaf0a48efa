# The models of the package efficientnet (efficientnet/model.py), as far as shapes, weights and memory
# depend on them. They lack the preprocessing of keras.applications, and pad otherwise.
import math
import string

import tensorflow as tf

layers = tf.keras.layers

# kernel size, repetitions, filters before and after, expansion, stride
BLOCKS = [
    (3, 1, 32, 16, 1, 1),
    (3, 2, 16, 24, 6, 2),
    (5, 2, 24, 40, 6, 2),
    (3, 3, 40, 80, 6, 2),
    (5, 3, 80, 112, 6, 1),
    (5, 4, 112, 192, 6, 2),
    (3, 1, 192, 320, 6, 1),
]


def rounded(filters, width):
    filters *= width
    new = max(8, int(filters + 4) // 8 * 8)
    return new + 8 if new < 0.9 * filters else new


def swish(x):
    # model.py's get_swish takes tf.nn.swish from keras.backend.tf, which tf.keras does not have.
    return x * tf.sigmoid(x)


def block(inputs, kernel, before, after, expansion, stride, rate, prefix):
    filters = before * expansion
    x = inputs
    if expansion != 1:
        x = layers.Conv2D(filters, 1, padding="same", use_bias=False, name=prefix + "expand_conv")(x)
        x = layers.BatchNormalization(name=prefix + "expand_bn")(x)
        x = layers.Activation(swish, name=prefix + "expand_activation")(x)
    x = layers.DepthwiseConv2D(kernel, strides=stride, padding="same", use_bias=False, name=prefix + "dwconv")(x)
    x = layers.BatchNormalization(name=prefix + "bn")(x)
    x = layers.Activation(swish, name=prefix + "activation")(x)
    s = layers.GlobalAveragePooling2D(name=prefix + "se_squeeze")(x)
    s = layers.Reshape((1, 1, filters), name=prefix + "se_reshape")(s)
    s = layers.Conv2D(max(1, int(before * 0.25)), 1, activation=swish, padding="same", name=prefix + "se_reduce")(s)
    s = layers.Conv2D(filters, 1, activation="sigmoid", padding="same", name=prefix + "se_expand")(s)
    x = layers.multiply([x, s], name=prefix + "se_excite")
    x = layers.Conv2D(after, 1, padding="same", use_bias=False, name=prefix + "project_conv")(x)
    x = layers.BatchNormalization(name=prefix + "project_bn")(x)
    if stride == 1 and before == after:
        if rate > 0:
            x = layers.Dropout(rate, noise_shape=(None, 1, 1, 1), name=prefix + "drop")(x)
        x = layers.add([x, inputs], name=prefix + "add")
    return x


def efficient(width, depth, resolution, dropout, name, include_top, input_tensor, input_shape, pooling, classes):
    if input_shape is None and include_top:
        input_shape = (resolution, resolution, 3)
    image = input_tensor
    if image is None:
        image = layers.Input(shape=input_shape or (None, None, 3))
    x = layers.Conv2D(rounded(32, width), 3, strides=2, padding="same", use_bias=False, name="stem_conv")(image)
    x = layers.BatchNormalization(name="stem_bn")(x)
    x = layers.Activation(swish, name="stem_activation")(x)
    done, total = 0, sum(repetitions for _, repetitions, _, _, _, _ in BLOCKS)
    for i, (kernel, repetitions, before, after, expansion, stride) in enumerate(BLOCKS):
        before, after = rounded(before, width), rounded(after, width)
        for j in range(int(math.ceil(depth * repetitions))):
            prefix = "block{}{}_".format(i + 1, string.ascii_lowercase[j])
            x = block(x, kernel, before, after, expansion, stride, 0.2 * done / total, prefix)
            before, stride = after, 1
            done += 1
    x = layers.Conv2D(rounded(1280, width), 1, padding="same", use_bias=False, name="top_conv")(x)
    x = layers.BatchNormalization(name="top_bn")(x)
    x = layers.Activation(swish, name="top_activation")(x)
    if include_top:
        x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
        x = layers.Dropout(dropout, name="top_dropout")(x)
        x = layers.Dense(classes, activation="softmax", name="probs")(x)
    elif pooling == "avg":
        x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
    elif pooling == "max":
        x = layers.GlobalMaxPooling2D(name="max_pool")(x)
    return tf.keras.Model(image, x, name=name)


def EfficientNetB0(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.0, 1.0, 224, 0.2, "efficientnet-b0", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB1(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.0, 1.1, 240, 0.2, "efficientnet-b1", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB2(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.1, 1.2, 260, 0.3, "efficientnet-b2", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB3(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.2, 1.4, 300, 0.3, "efficientnet-b3", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB4(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.4, 1.8, 380, 0.4, "efficientnet-b4", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB5(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.6, 2.2, 456, 0.4, "efficientnet-b5", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB6(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(1.8, 2.6, 528, 0.5, "efficientnet-b6", include_top, input_tensor, input_shape, pooling, classes)


def EfficientNetB7(include_top=True, weights="imagenet", input_tensor=None, input_shape=None, pooling=None, classes=1000, **kwargs):
    return efficient(2.0, 3.1, 600, 0.5, "efficientnet-b7", include_top, input_tensor, input_shape, pooling, classes)
