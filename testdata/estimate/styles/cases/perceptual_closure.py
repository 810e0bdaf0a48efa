"""A function makes the network of the loss, and returns the loss, which has three layers of it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def make_loss(shape, names, weights):
    vgg = keras.applications.VGG19(include_top=False, weights=None, input_shape=shape)
    vgg.trainable = False
    net = keras.Model(vgg.input, [vgg.get_layer(name).output for name in names])
    net.trainable = False

    def loss(y_true, y_pred):
        total = 0.0
        for weight, real, fake in zip(weights, net(y_true), net(y_pred)):
            total += weight * tf.reduce_mean(tf.square(real - fake))
        return total

    return loss


def block(x, width):
    x = layers.Conv2D(width, 3, padding="same")(x)
    return layers.PReLU(shared_axes=[1, 2])(x)


inputs = keras.Input((64, 64, 3))
x = block(inputs, 32)
x = block(x, 64)
x = block(x, 32)
outputs = layers.Conv2D(3, 5, padding="same")(x)
net = keras.Model(inputs, outputs)
net.compile(keras.optimizers.RMSprop(1e-4), loss=make_loss((64, 64, 3), ["block1_conv2", "block2_conv2", "block3_conv4"], [1.0, 0.5, 0.25]), jit_compile=False)
net.fit(np.zeros((64, 64, 64, 3), "float32"), np.zeros((64, 64, 64, 3), "float32"), batch_size=8)
