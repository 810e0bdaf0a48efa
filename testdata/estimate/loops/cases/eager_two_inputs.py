import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model, layers

NUM_TABULAR = 40
IMG = (48, 48, 1)

image = Input(IMG, name="image")
table = Input((NUM_TABULAR,), name="table")

a = layers.Conv2D(24, 5, activation="relu")(image)
a = layers.MaxPool2D()(a)
a = layers.Conv2D(48, 3, activation="relu")(a)
a = layers.SpatialDropout2D(0.1)(a)
a = layers.GlobalMaxPool2D()(a)

b = layers.Dense(64, activation="softplus")(table)
b = layers.BatchNormalization()(b)

gate = layers.Dense(48, activation="sigmoid")(b)
joined = layers.Concatenate()([layers.Multiply()([a, gate]), b])
price = layers.Dense(1, name="price")(layers.Dense(128, activation="relu")(joined))

model = Model(inputs=[image, table], outputs=price)
model.compile(loss=tf.keras.losses.Huber(), optimizer=tf.keras.optimizers.Nadam(), metrics=["mae"], run_eagerly=True)
model.fit(
    {"image": np.zeros((120, *IMG), "float32"), "table": np.zeros((120, NUM_TABULAR), "float32")},
    np.zeros((120, 1), "float32"),
    batch_size=60,
    epochs=20,
)
