import numpy as np
import tensorflow as tf

# Hyperparameters
HIDDEN_LAYERS = 6
HIDDEN_UNITS = 512
DROPOUT = 0.2
LEARNING_RATE = 0.1

tf.random.set_seed(7)


class Config:
    batch_size = 1024
    n_features = 200
    n_targets = 30


cfg = Config()
model = tf.keras.Sequential([tf.keras.layers.InputLayer((cfg.n_features,))])
for _ in range(HIDDEN_LAYERS):
    model.add(tf.keras.layers.Dense(HIDDEN_UNITS, use_bias=False))
    model.add(tf.keras.layers.BatchNormalization())
    model.add(tf.keras.layers.ReLU())
    model.add(tf.keras.layers.Dropout(DROPOUT))
model.add(tf.keras.layers.Dense(cfg.n_targets, activation="sigmoid"))

sgd = tf.keras.optimizers.SGD(LEARNING_RATE, momentum=0.9)
model.compile(loss="binary_crossentropy", optimizer=sgd)

data = tf.data.Dataset.from_tensor_slices(
    (np.zeros((2048, cfg.n_features), "float32"), np.zeros((2048, cfg.n_targets), "float32"))
).batch(cfg.batch_size)
model.fit(data, epochs=10)
