"""Age, gender and landmarks from one trunk; losses and metrics by output's name."""
import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import (BatchNormalization, Conv2D, Dense, Dropout, GlobalAveragePooling2D, Input,
                                     PReLU, SeparableConv2D, MaxPooling2D, Reshape)


class Settings:
    size = 80
    batch = 24
    landmarks = 68


s = Settings()


def trunk(inputs):
    x = Conv2D(32, 3, padding="same")(inputs)
    x = PReLU(shared_axes=[1, 2])(x)
    for width in [48, 64, 96]:
        x = SeparableConv2D(width, 3, padding="same", depth_multiplier=1)(x)
        x = BatchNormalization()(x)
        x = PReLU(shared_axes=[1, 2])(x)
        x = MaxPooling2D()(x)
    return x


def head(x, name, units, activation=None, width=64):
    y = GlobalAveragePooling2D()(x)
    y = Dense(width, activation="selu", kernel_initializer="lecun_normal")(y)
    y = Dropout(0.25)(y)
    return Dense(units, activation=activation, name=name)(y)


inp = Input((s.size, s.size, 3), name="image")
feat = trunk(inp)
age = head(feat, "age", 101, "softmax")
gender = head(feat, "gender", 1, "sigmoid")
lm = Reshape((s.landmarks, 2), name="landmarks")(head(feat, "lm_flat", s.landmarks * 2, width=256))
model = keras.Model(inp, {"age": age, "gender": gender, "landmarks": lm})
model.compile(
    optimizer="adamax",
    loss={"age": "sparse_categorical_crossentropy", "gender": "binary_crossentropy", "landmarks": "mae"},
    loss_weights={"age": 1.0, "gender": 0.5, "landmarks": 2.0},
    metrics={"age": "accuracy", "gender": ["accuracy"]},
)
n = s.batch * 4
model.fit(
    {"image": np.random.rand(n, s.size, s.size, 3).astype("float32")},
    {"age": np.random.randint(0, 101, n), "gender": np.random.randint(0, 2, (n, 1)),
     "landmarks": np.random.rand(n, s.landmarks, 2)},
    batch_size=s.batch, epochs=1,
)
