import numpy as np
import tensorflow as tf
import keras

K = 15000
model = keras.models.Sequential([
    keras.layers.InputLayer(shape=(200,)) if keras.__version__ >= "3" else keras.layers.InputLayer(input_shape=(200,)),
    keras.layers.Embedding(3000, 48),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(96, activation="relu"),
    keras.layers.Dense(K, activation="sigmoid"),
])
model.compile(optimizer="adamax", loss=keras.losses.BinaryFocalCrossentropy(gamma=2.0, apply_class_balancing=True),
              metrics=[keras.metrics.AUC(multi_label=False, num_thresholds=50)], jit_compile=False)
x = np.random.randint(0, 3000, (256, 200))
y = (np.random.rand(256, K) < 0.01).astype("float32")
model.fit(x, y, batch_size=128)
