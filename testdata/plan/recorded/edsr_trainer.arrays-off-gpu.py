"""After krasserm/super-resolution: EDSR, trained by a step of its own with a tape."""
# device: 866 MiB
# keras: 3.15
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Add, Conv2D, Input, Lambda, Rescaling
from tensorflow.keras.losses import MeanAbsoluteError
from tensorflow.keras.models import Model
from tensorflow.keras.optimizers import Adam


def edsr(scale, num_filters=32, num_res_blocks=6):
    x_in = Input(shape=(32, 32, 3))
    x = Rescaling(1 / 127.5, offset=-1)(x_in)
    x = b = Conv2D(num_filters, 3, padding="same")(x)
    for _ in range(num_res_blocks):
        r = Conv2D(num_filters, 3, padding="same", activation="relu")(b)
        b = Add()([b, Conv2D(num_filters, 3, padding="same")(r)])
    x = Add()([x, Conv2D(num_filters, 3, padding="same")(b)])
    x = Conv2D(num_filters * scale**2, 3, padding="same")(x)
    x = Lambda(lambda t: tf.nn.depth_to_space(t, scale))(x)
    return Model(x_in, Conv2D(3, 3, padding="same")(x))


low = np.zeros((128, 32, 32, 3), "float32")
high = np.zeros((128, 64, 64, 3), "float32")
with tf.device("/CPU:0"):
    train_dataset = tf.data.Dataset.from_tensor_slices((low, high)).shuffle(128).batch(16, drop_remainder=True)
model = edsr(scale=2)
loss_object = MeanAbsoluteError()
optimizer = Adam(1e-4)


@tf.function
def train_step(lr, hr):
    with tf.GradientTape() as tape:
        sr = model(lr, training=True)
        loss_value = loss_object(hr, sr)
    gradients = tape.gradient(loss_value, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss_value


for epoch in range(10):
    for lr, hr in train_dataset:
        loss = train_step(lr, hr)
    print(epoch, float(loss))
