import numpy as np
from tensorflow import keras

x, y = np.zeros((64, 96, 96, 3), "float32"), np.zeros((64,), "int32")
base = keras.applications.MobileNetV2(weights=None, include_top=False, pooling="avg", input_shape=(96, 96, 3))
base.trainable = False
i = keras.Input((96, 96, 3))
model = keras.Model(i, keras.layers.Dense(5, activation="softmax")(base(i, training=False)))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, batch_size=32)
base.trainable = True
model.compile(optimizer=keras.optimizers.Adam(1e-5), loss="sparse_categorical_crossentropy")
model.fit(x, y, batch_size=8)
