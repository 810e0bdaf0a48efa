import numpy as np
import keras
from keras import backend, layers

growth_rate = 12
blocks = [4, 4, 4]


def conv_block(x, growth_rate, name):
    axis = 3 if backend.image_data_format() == "channels_last" else 1
    x1 = layers.BatchNormalization(axis=axis, epsilon=1.001e-5, name=name + "_0_bn")(x)
    x1 = layers.Activation("relu", name=name + "_0_relu")(x1)
    x1 = layers.Conv2D(4 * growth_rate, 1, use_bias=False, name=name + "_1_conv")(x1)
    x1 = layers.BatchNormalization(axis=axis, epsilon=1.001e-5, name=name + "_1_bn")(x1)
    x1 = layers.Activation("relu", name=name + "_1_relu")(x1)
    x1 = layers.Conv2D(growth_rate, 3, padding="same", use_bias=False, name=name + "_2_conv")(x1)
    return layers.Concatenate(axis=axis, name=name + "_concat")([x, x1])


def transition(x, reduction, name):
    x = layers.BatchNormalization(epsilon=1.001e-5, name=name + "_bn")(x)
    x = layers.Activation("relu")(x)
    x = layers.Conv2D(int(x.shape[-1] * reduction), 1, use_bias=False, name=name + "_conv")(x)
    return layers.AveragePooling2D(2, strides=2, name=name + "_pool")(x)


def DenseNet(blocks, input_shape=(32, 32, 3), classes=100):
    img = layers.Input(shape=input_shape)
    x = layers.Conv2D(2 * growth_rate, 3, padding="same", use_bias=False)(img)
    for b, n in enumerate(blocks):
        for i in range(n):
            x = conv_block(x, growth_rate, name=f"conv{b}_block{i + 1}")
        if b < len(blocks) - 1:
            x = transition(x, 0.5, name="pool%d" % (b + 2))
    x = layers.BatchNormalization()(x)
    x = layers.ReLU()(x)
    x = layers.GlobalAveragePooling2D(name="avg_pool")(x)
    return keras.models.Model(img, layers.Dense(classes, activation="softmax")(x))


model = DenseNet(blocks)
model.compile(
    optimizer=keras.optimizers.SGD(0.1, momentum=0.9, weight_decay=1e-4, gradient_accumulation_steps=2),
    loss="sparse_categorical_crossentropy",
    metrics=["sparse_categorical_accuracy"],
)
model.fit(np.random.rand(256, 32, 32, 3), np.random.randint(0, 100, 256), batch_size=32, epochs=1)
