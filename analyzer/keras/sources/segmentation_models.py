# The package segmentation_models (models/unet.py, models/linknet.py, models/fpn.py, losses.py, base/functional.py,
# backbones/inception_v3.py), as far as shapes, weights and memory depend on them. Its other backbones and PSPNet
# are missing.
import efficientnet.tfkeras as efn
import tensorflow as tf
from classification_models.tfkeras import Classifiers
from segmentation_models.backbones.backbones_factory import Backbones

layers = tf.keras.layers
K = tf.keras.backend

RESIDUAL = ("stage4_unit1_relu1", "stage3_unit1_relu1", "stage2_unit1_relu1", "relu0")
EFFICIENT = ("block6a_expand_activation", "block4a_expand_activation", "block3a_expand_activation", "block2a_expand_activation")

# those that are missing: Backbones is not in any file here, and what it makes is unknown
OTHERS = ("resnext50", "resnext101", "inceptionresnetv2", "seresnet50", "seresnet101", "seresnet152", "seresnext50", "seresnext101", "senet154")


def inception_convolution(x, filters, rows, columns, strides=1):
    x = layers.Conv2D(filters, (rows, columns), strides=strides, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization(scale=False)(x)
    return layers.Activation("relu")(x)


def inception_branch(x, *convolutions):
    for c in convolutions:
        x = inception_convolution(x, *c)
    return x


def inception_pool(x, filters):
    x = layers.AveragePooling2D(3, strides=1, padding="same")(x)
    return inception_convolution(x, filters, 1, 1)


# keras.applications' InceptionV3 with padding everywhere
def InceptionV3(input_shape=None, weights=None, include_top=False):
    image = layers.Input(shape=input_shape)
    x = inception_branch(image, (32, 3, 3, 2), (32, 3, 3), (64, 3, 3))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    x = inception_branch(x, (80, 1, 1), (192, 3, 3))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    for pooled in (32, 64, 64):
        x = layers.concatenate([
            inception_branch(x, (64, 1, 1)), inception_branch(x, (48, 1, 1), (64, 5, 5)),
            inception_branch(x, (64, 1, 1), (96, 3, 3), (96, 3, 3)), inception_pool(x, pooled),
        ], axis=3)
    x = layers.concatenate([
        inception_branch(x, (384, 3, 3, 2)), inception_branch(x, (64, 1, 1), (96, 3, 3), (96, 3, 3, 2)),
        layers.MaxPooling2D(3, strides=2, padding="same")(x),
    ], axis=3)
    for n in (128, 160, 160, 192):
        x = layers.concatenate([
            inception_branch(x, (192, 1, 1)), inception_branch(x, (n, 1, 1), (n, 1, 7), (192, 7, 1)),
            inception_branch(x, (n, 1, 1), (n, 7, 1), (n, 1, 7), (n, 7, 1), (192, 1, 7)), inception_pool(x, 192),
        ], axis=3)
    x = layers.concatenate([
        inception_branch(x, (192, 1, 1), (320, 3, 3, 2)), inception_branch(x, (192, 1, 1), (192, 1, 7), (192, 7, 1), (192, 3, 3, 2)),
        layers.MaxPooling2D(3, strides=2, padding="same")(x),
    ], axis=3)
    for _ in range(2):
        one = inception_branch(x, (320, 1, 1))
        three = inception_branch(x, (384, 1, 1))
        three = layers.concatenate([inception_convolution(three, 384, 1, 3), inception_convolution(three, 384, 3, 1)], axis=3)
        double = inception_branch(x, (448, 1, 1), (384, 3, 3))
        double = layers.concatenate([inception_convolution(double, 384, 1, 3), inception_convolution(double, 384, 3, 1)], axis=3)
        x = layers.concatenate([one, three, double, inception_pool(x, 192)], axis=3)
    return tf.keras.Model(image, x)


# what makes a backbone, and the layers whose outputs the decoder reads
BACKBONES = {
    "vgg16": (tf.keras.applications.VGG16, ("block5_conv3", "block4_conv3", "block3_conv3", "block2_conv2", "block1_conv2")),
    "vgg19": (tf.keras.applications.VGG19, ("block5_conv4", "block4_conv4", "block3_conv4", "block2_conv2", "block1_conv2")),
    "inceptionv3": (InceptionV3, (228, 86, 16, 9)),
    "densenet121": (tf.keras.applications.DenseNet121, (311, 139, 51, 4)),
    "densenet169": (tf.keras.applications.DenseNet169, (367, 139, 51, 4)),
    "densenet201": (tf.keras.applications.DenseNet201, (479, 139, 51, 4)),
    "mobilenet": (tf.keras.applications.MobileNet, ("conv_pw_11_relu", "conv_pw_5_relu", "conv_pw_3_relu", "conv_pw_1_relu")),
    "mobilenetv2": (tf.keras.applications.MobileNetV2, ("block_13_expand_relu", "block_6_expand_relu", "block_3_expand_relu", "block_1_expand_relu")),
    "efficientnetb0": (efn.EfficientNetB0, EFFICIENT),
    "efficientnetb1": (efn.EfficientNetB1, EFFICIENT),
    "efficientnetb2": (efn.EfficientNetB2, EFFICIENT),
    "efficientnetb3": (efn.EfficientNetB3, EFFICIENT),
    "efficientnetb4": (efn.EfficientNetB4, EFFICIENT),
    "efficientnetb5": (efn.EfficientNetB5, EFFICIENT),
    "efficientnetb6": (efn.EfficientNetB6, EFFICIENT),
    "efficientnetb7": (efn.EfficientNetB7, EFFICIENT),
}


def backbone_of(name, input_shape, weights):
    if "resnet" in name and "inception" not in name:
        make, features = Classifiers.get(name)[0], RESIDUAL
    else:
        make, features = BACKBONES[name]
    return make(input_shape=input_shape, weights=weights, include_top=False), features[:4]


def convolution(x, filters, kernel, normed, name=None):
    named = name is not None
    x = layers.Conv2D(filters, kernel, padding="same", use_bias=not normed, name=name + "_conv" if named else None)(x)
    if normed:
        x = layers.BatchNormalization(name=name + "_bn" if named else None)(x)
    return layers.Activation("relu", name=name + "_relu" if named else None)(x)


def enlarged(x, filters, stage, normed):
    x = layers.Conv2DTranspose(filters, 4, strides=2, padding="same", use_bias=not normed, name=stage + "_transpose")(x)
    if normed:
        x = layers.BatchNormalization(name=stage + "_transpose_bn")(x)
    return layers.Activation("relu", name=stage + "_transpose_relu")(x)


def unet_stage(x, skip, filters, stage, transposed, normed):
    if transposed:
        x = enlarged(x, filters, stage + "a", normed)
    else:
        x = layers.UpSampling2D(2, name=stage + "_upsampling")(x)
    if skip is not None:
        x = layers.Concatenate(axis=3, name=stage + "_concat")([x, skip])
    if not transposed:
        x = convolution(x, filters, 3, normed, stage + "a")
    return convolution(x, filters, 3, normed, stage + "b")


def linknet_stage(x, skip, filters, stage, transposed, normed):
    inner = x.shape[-1] // 4
    if skip is not None:
        filters = skip.shape[-1]
    x = convolution(x, inner, 1, normed, stage + "a")
    if transposed:
        x = enlarged(x, inner, stage + "b", normed)
    else:
        x = layers.UpSampling2D(2, name=stage + "_upsampling")(x)
        x = convolution(x, inner, 3, normed, stage + "b")
    x = convolution(x, filters, 1, normed, stage + "c")
    return x if skip is None else layers.Add(name=stage + "_add")([x, skip])


def features_of(backbone, layers_of):
    return [backbone.get_layer(name=i).output if isinstance(i, str) else backbone.get_layer(index=i).output for i in layers_of]


def decoded(stage, backbone_name, input_shape, classes, activation, weights, freeze, features, block, filters, normed):
    if backbone_name in OTHERS:
        return Backbones.get_backbone(backbone_name)
    backbone, default = backbone_of(backbone_name, input_shape, weights)
    skips = features_of(backbone, default if features == "default" else features)
    x = backbone.output
    if backbone_name.startswith("vgg"):
        x = convolution(x, 512, 3, normed, "center_block1")
        x = convolution(x, 512, 3, normed, "center_block2")
    for i in range(len(filters)):
        x = stage(x, skips[i] if i < len(skips) else None, filters[i], "decoder_stage{}".format(i), block == "transpose", normed)
    return head(backbone, x, classes, activation, freeze)


def head(backbone, x, classes, activation, freeze):
    x = layers.Conv2D(classes, 3, padding="same", name="final_conv")(x)
    x = layers.Activation(activation, name=activation)(x)
    if freeze:
        for layer in backbone.layers:
            # models/_utils.py leaves the normalizations trainable
            if not isinstance(layer, layers.BatchNormalization):
                layer.trainable = False
    return tf.keras.Model(backbone.input, x)


def Unet(backbone_name="vgg16", input_shape=(None, None, 3), classes=1, activation="sigmoid", weights=None,
         encoder_weights="imagenet", encoder_freeze=False, encoder_features="default", decoder_block_type="upsampling",
         decoder_filters=(256, 128, 64, 32, 16), decoder_use_batchnorm=True, **kwargs):
    return decoded(unet_stage, backbone_name, input_shape, classes, activation, encoder_weights, encoder_freeze,
                   encoder_features, decoder_block_type, decoder_filters, decoder_use_batchnorm)


def Linknet(backbone_name="vgg16", input_shape=(None, None, 3), classes=1, activation="sigmoid", weights=None,
            encoder_weights="imagenet", encoder_freeze=False, encoder_features="default", decoder_block_type="upsampling",
            decoder_filters=(None, None, None, None, 16), decoder_use_batchnorm=True, **kwargs):
    return decoded(linknet_stage, backbone_name, input_shape, classes, activation, encoder_weights, encoder_freeze,
                   encoder_features, decoder_block_type, decoder_filters, decoder_use_batchnorm)


def pyramid(x, skip, filters):
    if x.shape[-1] != filters:
        x = layers.Conv2D(filters, 1)(x)
    skip = layers.Conv2D(filters, 1)(skip)
    return layers.Add()([layers.UpSampling2D(2)(x), skip])


def FPN(backbone_name="vgg16", input_shape=(None, None, 3), classes=21, activation="softmax", weights=None,
        encoder_weights="imagenet", encoder_freeze=False, encoder_features="default", pyramid_block_filters=256,
        pyramid_use_batchnorm=True, pyramid_aggregation="concat", pyramid_dropout=None, **kwargs):
    if backbone_name in OTHERS:
        return Backbones.get_backbone(backbone_name)
    backbone, default = backbone_of(backbone_name, input_shape, encoder_weights)
    x, levels = backbone.output, []
    for skip in features_of(backbone, default if encoder_features == "default" else encoder_features):
        x = pyramid(x, skip, pyramid_block_filters)
        levels.append(x)
    half, parts = pyramid_block_filters // 2, []
    for level, size in zip(levels, (8, 4, 2, 1)):
        s = convolution(level, half, 3, pyramid_use_batchnorm)
        s = convolution(s, half, 3, pyramid_use_batchnorm)
        parts.append(layers.UpSampling2D(size)(s) if size > 1 else s)
    parts = parts[::-1]
    x = layers.Add()(parts) if pyramid_aggregation == "sum" else layers.Concatenate(axis=3)(parts)
    if pyramid_dropout:
        x = layers.SpatialDropout2D(pyramid_dropout)(x)
    x = convolution(x, half, 3, pyramid_use_batchnorm)
    x = layers.UpSampling2D(2, interpolation="bilinear")(x)
    return head(backbone, x, classes, activation, encoder_freeze)


def preprocess_input(x, **kwargs):
    return x


def get_preprocessing(name):
    return preprocess_input


def set_framework(name):
    return None
