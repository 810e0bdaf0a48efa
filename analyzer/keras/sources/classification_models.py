# The residual networks of the package classification_models (models/resnet.py, models/_common_blocks.py),
# as far as shapes, weights and memory depend on them.
import tensorflow as tf

layers = tf.keras.layers


def bn(name, scale=True):
    return layers.BatchNormalization(epsilon=2e-5, scale=scale, name=name)


def conv(filters, kernel, name, strides=1):
    return layers.Conv2D(filters, kernel, strides=strides, use_bias=False, name=name)


def squeeze(x):
    channels = x.shape[-1]
    s = layers.GlobalAveragePooling2D()(x)
    s = layers.Reshape((1, 1, channels))(s)
    s = layers.Conv2D(channels // 16, 1)(s)
    s = layers.Activation("relu")(s)
    s = layers.Conv2D(channels, 1)(s)
    s = layers.Activation("sigmoid")(s)
    return layers.Multiply()([x, s])


def unit(inputs, filters, name, strides, first, bottleneck, attention):
    x = bn(name + "bn1")(inputs)
    x = layers.Activation("relu", name=name + "relu1")(x)
    shortcut = inputs
    if first:
        shortcut = conv(filters * 4 if bottleneck else filters, 1, name + "sc", strides)(x)
    if bottleneck:
        x = conv(filters, 1, name + "conv1")(x)
        x = bn(name + "bn2")(x)
        x = layers.Activation("relu", name=name + "relu2")(x)
        x = layers.ZeroPadding2D(1)(x)
        x = conv(filters, 3, name + "conv2", strides)(x)
        x = bn(name + "bn3")(x)
        x = layers.Activation("relu", name=name + "relu3")(x)
        x = conv(filters * 4, 1, name + "conv3")(x)
    else:
        x = layers.ZeroPadding2D(1)(x)
        x = conv(filters, 3, name + "conv1", strides)(x)
        x = bn(name + "bn2")(x)
        x = layers.Activation("relu", name=name + "relu2")(x)
        x = layers.ZeroPadding2D(1)(x)
        x = conv(filters, 3, name + "conv2")(x)
    if attention:
        x = squeeze(x)
    return layers.Add()([x, shortcut])


def residual(repetitions, bottleneck, attention, input_shape, input_tensor, classes, include_top):
    image = input_tensor
    if image is None:
        image = layers.Input(shape=input_shape, name="data")
    x = bn("bn_data", scale=False)(image)
    x = layers.ZeroPadding2D(3)(x)
    x = conv(64, 7, "conv0", 2)(x)
    x = bn("bn0")(x)
    x = layers.Activation("relu", name="relu0")(x)
    x = layers.ZeroPadding2D(1)(x)
    x = layers.MaxPooling2D(3, strides=2, name="pooling0")(x)
    for stage, repeated in enumerate(repetitions):
        for i in range(repeated):
            strides = 2 if i == 0 and stage > 0 else 1
            x = unit(x, 64 * 2**stage, "stage{}_unit{}_".format(stage + 1, i + 1), strides, i == 0, bottleneck, attention)
    x = bn("bn1")(x)
    x = layers.Activation("relu", name="relu1")(x)
    if include_top:
        x = layers.GlobalAveragePooling2D(name="pool1")(x)
        x = layers.Dense(classes, name="fc1")(x)
        x = layers.Activation("softmax", name="softmax")(x)
    return tf.keras.Model(image, x)


def ResNet18(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((2, 2, 2, 2), False, False, input_shape, input_tensor, classes, include_top)


def ResNet34(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((3, 4, 6, 3), False, False, input_shape, input_tensor, classes, include_top)


def ResNet50(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((3, 4, 6, 3), True, False, input_shape, input_tensor, classes, include_top)


def ResNet101(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((3, 4, 23, 3), True, False, input_shape, input_tensor, classes, include_top)


def ResNet152(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((3, 8, 36, 3), True, False, input_shape, input_tensor, classes, include_top)


def SEResNet18(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((2, 2, 2, 2), False, True, input_shape, input_tensor, classes, include_top)


def SEResNet34(input_shape=None, input_tensor=None, weights=None, classes=1000, include_top=True, **kwargs):
    return residual((3, 4, 6, 3), False, True, input_shape, input_tensor, classes, include_top)


def preprocess_input(x, **kwargs):
    return x


MODELS = {
    "resnet18": ResNet18, "resnet34": ResNet34, "resnet50": ResNet50, "resnet101": ResNet101, "resnet152": ResNet152,
    "seresnet18": SEResNet18, "seresnet34": SEResNet34,
}


def get(name):
    return MODELS[name], preprocess_input
