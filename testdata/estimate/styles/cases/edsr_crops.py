import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

AUTOTUNE = tf.data.AUTOTUNE


class EDSRModel(keras.Model):
    def predict_step(self, x):
        x = tf.cast(tf.expand_dims(x, axis=0), tf.float32)
        super_resolution_img = self(x, training=False)
        super_resolution_img = tf.clip_by_value(super_resolution_img, 0, 255)
        return tf.squeeze(tf.cast(tf.round(super_resolution_img), tf.uint8), axis=0)


def ResBlock(inputs):
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(inputs)
    x = layers.Conv2D(64, 3, padding="same")(x)
    x = layers.Add()([inputs, x])
    return x


def Upsampling(inputs, factor=2, **kwargs):
    x = layers.Conv2D(64 * (factor ** 2), 3, padding="same", **kwargs)(inputs)
    x = layers.Lambda(lambda t: tf.nn.depth_to_space(t, block_size=factor))(x)
    x = layers.Conv2D(64 * (factor ** 2), 3, padding="same", **kwargs)(x)
    x = layers.Lambda(lambda t: tf.nn.depth_to_space(t, block_size=factor))(x)
    return x


def make_model(num_filters, num_of_residual_blocks):
    input_layer = layers.Input(shape=(None, None, 3))
    x = layers.Rescaling(scale=1.0 / 255)(input_layer)
    x = x_new = layers.Conv2D(num_filters, 3, padding="same")(x)
    for _ in range(num_of_residual_blocks):
        x_new = ResBlock(x_new)
    x_new = layers.Conv2D(num_filters, 3, padding="same")(x_new)
    x = layers.Add()([x, x_new])
    x = Upsampling(x)
    x = layers.Conv2D(3, 3, padding="same")(x)
    output_layer = layers.Rescaling(scale=255)(x)
    return EDSRModel(input_layer, output_layer)


def PSNR(super_resolution, high_resolution):
    return tf.image.psnr(high_resolution, super_resolution, max_val=255)[0]


def random_crop(lr, hr, hr_crop=96, scale=4):
    lr_size = hr_crop // scale
    shape = tf.shape(lr)[:2]
    w = tf.random.uniform((), maxval=shape[1] - lr_size + 1, dtype=tf.int32)
    h = tf.random.uniform((), maxval=shape[0] - lr_size + 1, dtype=tf.int32)
    return lr[h:h + lr_size, w:w + lr_size], hr[h * scale:h * scale + hr_crop, w * scale:w * scale + hr_crop]


lr = np.random.randint(0, 255, (24, 48, 48, 3)).astype("uint8")
hr = np.random.randint(0, 255, (24, 192, 192, 3)).astype("uint8")
ds = tf.data.Dataset.from_tensor_slices((lr, hr))
ds = ds.map(random_crop, num_parallel_calls=AUTOTUNE)
ds = ds.map(lambda a, b: (tf.ensure_shape(a, (24, 24, 3)), tf.ensure_shape(b, (96, 96, 3))))
ds = ds.batch(8).repeat(2).prefetch(AUTOTUNE)

model = make_model(num_filters=64, num_of_residual_blocks=8)
optim_edsr = keras.optimizers.Adam(
    learning_rate=keras.optimizers.schedules.PiecewiseConstantDecay(boundaries=[5000], values=[1e-4, 5e-5]))
model.compile(optimizer=optim_edsr, loss="mae", metrics=[PSNR])
model.fit(ds, epochs=1, steps_per_epoch=3)
