"""DeepLabV3+-like: dilated spatial pyramid pooling over a small Xception trunk, resize and argmax metrics."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

SIZE, CLASSES = 96, 20


def convolution_block(block_input, num_filters=64, kernel_size=3, dilation_rate=1, use_bias=False):
    x = layers.Conv2D(num_filters, kernel_size=kernel_size, dilation_rate=dilation_rate, padding="same",
                      use_bias=use_bias, kernel_initializer=keras.initializers.HeNormal())(block_input)
    x = layers.BatchNormalization()(x)
    return keras.ops.nn.relu(x)


def aspp(dspp_input):
    dims = dspp_input.shape
    x = layers.AveragePooling2D(pool_size=(dims[-3], dims[-2]))(dspp_input)
    x = convolution_block(x, kernel_size=1, use_bias=True)
    out_pool = layers.UpSampling2D(size=(dims[-3] // x.shape[1], dims[-2] // x.shape[2]), interpolation="bilinear")(x)
    outs = [out_pool] + [convolution_block(dspp_input, kernel_size=1 if r == 1 else 3, dilation_rate=r) for r in (1, 6, 12)]
    x = layers.Concatenate(axis=-1)(outs)
    return convolution_block(x, kernel_size=1)


def xception_trunk(x):
    x = layers.Conv2D(32, 3, strides=2, padding="same")(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("relu")(x)
    previous = x
    low = None
    for size in [64, 96]:
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(size, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
        x = layers.SeparableConv2D(size, 3, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
        residual = layers.Conv2D(size, 1, strides=2, padding="same")(previous)
        x = layers.add([x, residual])
        previous = x
        if low is None:
            low = x
    return x, low


inp = keras.Input(shape=(SIZE, SIZE, 3))
deep, low = xception_trunk(inp)
x = aspp(deep)
a = layers.UpSampling2D(size=(low.shape[1] // x.shape[1], low.shape[2] // x.shape[2]), interpolation="bilinear")(x)
b = convolution_block(low, num_filters=24, kernel_size=1)
x = layers.Concatenate(axis=-1)([a, b])
x = convolution_block(x)
x = convolution_block(x)
x = layers.UpSampling2D(size=(SIZE // x.shape[1], SIZE // x.shape[2]), interpolation="bilinear")(x)
out = layers.Conv2D(CLASSES, kernel_size=(1, 1), padding="same")(x)
model = keras.Model(inp, out)


class MeanIoU(keras.metrics.MeanIoU):
    def update_state(self, y_true, y_pred, sample_weight=None):
        return super().update_state(y_true, tf.argmax(y_pred, axis=-1), sample_weight)


model.compile(
    optimizer=keras.optimizers.Adam(learning_rate=0.001),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy", MeanIoU(CLASSES)],
)
model.fit(np.random.rand(24, SIZE, SIZE, 3).astype("float32"), np.random.randint(0, CLASSES, (24, SIZE, SIZE, 1)),
          batch_size=6, epochs=1)
