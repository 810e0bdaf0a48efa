import numpy as np
import keras
from keras import layers


def residual_block(x, filters, stride=1, name=None):
    shortcut = x
    if stride != 1 or x.shape[-1] != filters:
        shortcut = layers.Conv2D(filters, 1, strides=stride, use_bias=False, name=f"{name}_proj")(x)
        shortcut = layers.BatchNormalization(name=f"{name}_proj_bn")(shortcut)
    y = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False, name=f"{name}_conv1")(x)
    y = layers.BatchNormalization(name=f"{name}_bn1")(y)
    y = layers.ReLU()(y)
    y = layers.Conv2D(filters, 3, padding="same", use_bias=False, name=f"{name}_conv2")(y)
    y = layers.BatchNormalization(gamma_initializer="zeros", name=f"{name}_bn2")(y)
    return layers.ReLU()(layers.Add()([shortcut, y]))


def resnet18(input_shape=(64, 64, 3), num_classes=200):
    inputs = keras.Input(input_shape)
    x = layers.Conv2D(64, 3, padding="same", use_bias=False)(inputs)
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    for stage, (filters, blocks) in enumerate([(64, 2), (128, 2), (256, 2), (512, 2)]):
        for b in range(blocks):
            x = residual_block(x, filters, stride=2 if b == 0 and stage > 0 else 1, name=f"s{stage}b{b}")
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(num_classes)(x))


model = resnet18()
optimizer = keras.optimizers.SGD(
    learning_rate=keras.optimizers.schedules.CosineDecay(0.1, 10000, warmup_target=0.4, warmup_steps=500),
    momentum=0.9, nesterov=True, weight_decay=5e-4, use_ema=True, ema_momentum=0.999, gradient_accumulation_steps=2,
)
model.compile(optimizer, keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
x = np.random.rand(64, 64, 64, 3).astype("float32")
y = np.random.randint(0, 200, 64)
model.fit(x, y, batch_size=16, epochs=1)
