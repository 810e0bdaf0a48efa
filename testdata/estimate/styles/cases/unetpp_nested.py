import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K
from tensorflow.keras import layers as L
from tensorflow.keras.models import Model

IMG_H = IMG_W = 128
BATCH_SIZE = 4
NB = [16, 32, 64, 128]


def standard_unit(input_tensor, stage, nb_filter, kernel_size=3):
    x = input_tensor
    for i in (1, 2):
        x = L.Conv2D(nb_filter, (kernel_size, kernel_size), name=f"conv{stage}_{i}", kernel_initializer="he_normal", padding="same")(x)
        x = L.LeakyReLU()(x)
        x = L.Dropout(0.1, name=f"dp{stage}_{i}")(x)
    return x


def build_unetpp(num_class=1, deep_supervision=True):
    img = L.Input((IMG_H, IMG_W, 3), name="main_input")
    X = {}
    X[0, 0] = standard_unit(img, "00", NB[0])
    for i in range(1, len(NB)):
        X[i, 0] = standard_unit(L.MaxPooling2D((2, 2))(X[i - 1, 0]), f"{i}0", NB[i])
    for j in range(1, len(NB)):
        for i in range(len(NB) - j):
            up = L.Conv2DTranspose(NB[i], (2, 2), strides=(2, 2), padding="same")(X[i + 1, j - 1])
            merged = L.concatenate([up] + [X[i, k] for k in range(j)], axis=3)
            X[i, j] = standard_unit(merged, f"{i}{j}", NB[i])
    outs = [
        L.Conv2D(num_class, (1, 1), activation="sigmoid", name=f"output_{j}", padding="same")(X[0, j])
        for j in range(1, len(NB))
    ]
    return Model(img, outs if deep_supervision else outs[-1])


def dice_coef(y_true, y_pred, smooth=1.0):
    y_true_f = K.flatten(y_true)
    y_pred_f = K.flatten(y_pred)
    intersection = K.sum(y_true_f * y_pred_f)
    return (2.0 * intersection + smooth) / (K.sum(y_true_f) + K.sum(y_pred_f) + smooth)


def bce_dice_loss(y_true, y_pred):
    bce = tf.keras.losses.binary_crossentropy(y_true, y_pred)
    return 0.5 * tf.reduce_mean(bce) + (1.0 - dice_coef(y_true, y_pred))


def gen():
    while True:
        img = np.random.rand(IMG_H, IMG_W, 3).astype("float32")
        m = (np.random.rand(IMG_H, IMG_W, 1) > 0.5).astype("float32")
        yield img, (m, m, m)


mask_spec = tf.TensorSpec((IMG_H, IMG_W, 1), tf.float32)
ds = tf.data.Dataset.from_generator(
    gen, output_signature=(tf.TensorSpec((IMG_H, IMG_W, 3), tf.float32), (mask_spec, mask_spec, mask_spec))
).batch(BATCH_SIZE).repeat()

model = build_unetpp()
model.compile(optimizer=tf.keras.optimizers.Adam(3e-4), loss=[bce_dice_loss] * 3, loss_weights=[0.25, 0.25, 0.5],
              metrics=[[dice_coef], [dice_coef], [dice_coef]])
model.fit(ds, steps_per_epoch=4, epochs=1)
