"""Parts of models that are frozen: by name, by place, by pattern."""

import re
from tensorflow import keras
from tensorflow.keras import layers

A = keras.applications

vgg = A.VGG16(weights=None, include_top=False, input_shape=(64, 64, 3))
set_trainable = False
for layer in vgg.layers:
    if layer.name == "block5_conv1":
        set_trainable = True
    layer.trainable = set_trainable
by_name = keras.Sequential([vgg, layers.Flatten(), layers.Dense(3)])

mob = A.MobileNetV2(weights=None, include_top=False, input_shape=(96, 96, 3))
mob.trainable = True
fine_tune_at = 100
for layer in mob.layers[:fine_tune_at]:
    layer.trainable = False
by_index = keras.Sequential([mob, layers.GlobalAveragePooling2D(), layers.Dense(1)])

eff = A.EfficientNetB0(weights=None, include_top=False, input_shape=(64, 64, 3))
for layer in eff.layers[-20:]:
    if not isinstance(layer, layers.BatchNormalization):
        layer.trainable = True
    else:
        layer.trainable = False
for layer in eff.layers[:-20]:
    layer.trainable = False
but_norms = keras.Sequential([eff, layers.GlobalAveragePooling2D(), layers.Dense(5)])

xc = A.Xception(weights=None, include_top=False, input_shape=(96, 96, 3))
names = [l.name for l in xc.layers]
at = names.index("block13_sepconv1")
for l in xc.layers[:at]:
    l.trainable = False
by_place = keras.Model(xc.input, layers.Dense(2)(layers.GlobalMaxPool2D()(xc.output)))

res = A.ResNet50V2(weights=None, include_top=False, input_shape=(64, 64, 3), pooling="avg")
for l in res.layers:
    l.trainable = bool(re.match(r"conv5_.*", l.name)) or l.name.endswith("post_bn")
by_pattern = keras.Sequential([res, layers.Dense(4)])

den = A.DenseNet121(weights=None, input_shape=(64, 64, 3), include_top=False)
cut = keras.Model(den.input, den.get_layer("pool3_pool").output)
for i, l in enumerate(cut.layers):
    if i % 2:
        l.trainable = False
every_other = keras.Sequential([cut, layers.GlobalAveragePooling2D(), layers.Dense(2)])

inc = A.InceptionResNetV2(weights=None, include_top=False, input_shape=(96, 96, 3))
for l in inc.layers[:500]:
    l.trainable = False
many_branches = keras.Sequential([inc, layers.GlobalAveragePooling2D(), layers.Dense(2)])

nas = A.NASNetMobile(weights=None, include_top=False, input_shape=(96, 96, 3))
for l in nas.layers[300:]:
    l.trainable = False
the_rest = keras.Sequential([nas, layers.GlobalAveragePooling2D(), layers.Dense(2)])

cn = A.ConvNeXtTiny(weights=None, include_top=False, input_shape=(64, 64, 3))
for l in cn.layers[:60]:
    l.trainable = False
with_parts = keras.Sequential([cn, layers.GlobalAveragePooling2D(), layers.Dense(2)])

two_of_four = keras.Sequential([A.ResNet50(weights=None, include_top=False, input_shape=(64, 64, 3)), layers.Flatten(), layers.Dense(8), layers.Dense(2)])
two_of_four.layers[0].trainable = False
two_of_four.get_layer(index=2).trainable = False


def inception(x, n, name):
    a = layers.Conv2D(n, 1, name=name + "_a")(x)
    b = layers.Conv2D(n, 1, name=name + "_b1")(x)
    b = layers.Conv2D(n, 3, padding="same", name=name + "_b2")(b)
    c = layers.MaxPool2D(3, 1, "same")(x)
    c = layers.Conv2D(2 * n, 1, name=name + "_c")(c)
    return layers.concatenate([a, b, c])


i = keras.Input((32, 32, 3))
x = i
for k in range(4):
    x = inception(x, 8 * (k + 1), f"m{k}")
aux = layers.Dense(7, name="aux")(layers.Flatten()(x))
x = layers.Dense(9)(layers.GlobalAvgPool2D()(x))
both_heads = keras.Model(i, [x, aux])
for l in both_heads.layers[:-9]:
    l.trainable = False
one_head = keras.Model(i, x)
for l in one_head.layers[5:17]:
    l.trainable = False
