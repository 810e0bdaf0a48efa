import numpy as np
import tensorflow as tf

decoder = tf.keras.Sequential([
    tf.keras.layers.Input((16,)),
    tf.keras.layers.Dense(8 * 8 * 64, activation="relu"),
    tf.keras.layers.Reshape((8, 8, 64)),
    tf.keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same"),
])


def spread(codes):
    codes = tf.convert_to_tensor(codes)
    with tf.GradientTape() as g:
        g.watch(codes)
        pictures = decoder(codes)
    return g.batch_jacobian(pictures, codes)  # want "batch_jacobian\(\) computes the gradients of all 3072 outputs of an example at once\."


print(spread(np.zeros((64, 16), "float32")).shape)
