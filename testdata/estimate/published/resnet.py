"""ResNet v1.5 and its relatives with groups and with squeeze and excitation."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

BLOCKS = [3, 4, 6, 3]
WIDTHS = [64, 128, 256, 512]
EXPANSION = 4
GROUPS = 1
SQUEEZE = None
POLICY = "float32"
BATCH = 128

keras.mixed_precision.set_global_policy(POLICY)


def convolution(x, n, size, stride=1, groups=1, relu=True):
    x = layers.Conv2D(n, size, strides=stride, padding="same", groups=groups, use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.9, epsilon=1e-5)(x)
    return layers.ReLU()(x) if relu else x


def squeeze(x, ratio):
    n = x.shape[-1]
    s = layers.GlobalAveragePooling2D()(x)
    s = layers.Dense(n // ratio, activation="relu")(s)
    s = layers.Dense(n, activation="sigmoid")(s)
    return layers.Multiply()([x, layers.Reshape((1, 1, n))(s)])


def block(x, width, stride):
    y = convolution(x, width, 1)
    y = convolution(y, width, 3, stride, GROUPS)
    y = convolution(y, width * EXPANSION, 1, relu=False)
    if SQUEEZE:
        y = squeeze(y, SQUEEZE)
    if stride > 1 or x.shape[-1] != width * EXPANSION:
        x = convolution(x, width * EXPANSION, 1, stride, relu=False)
    return layers.ReLU()(layers.Add()([x, y]))


images = keras.Input((224, 224, 3))
x = convolution(images, 64, 7, 2)
x = layers.MaxPooling2D(3, 2, padding="same")(x)
for stage, (width, count) in enumerate(zip(WIDTHS, BLOCKS)):
    for i in range(count):
        x = block(x, width, 2 if i == 0 and stage > 0 else 1)
x = layers.GlobalAveragePooling2D()(x)
scores = layers.Dense(1001, dtype="float32")(x)

model = keras.Model(images, scores)
model.compile(
    keras.optimizers.SGD(0.256, momentum=0.875),
    keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    jit_compile=False,
)
model.fit(np.zeros((256, 224, 224, 3), "float32"), np.zeros((256,), "int32"), batch_size=BATCH)
