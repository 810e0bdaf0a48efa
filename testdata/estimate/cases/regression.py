import numpy as np
import tensorflow as tf

features = np.zeros((1000, 13))
targets = np.zeros((1000,))

def build_and_compile_model(norm):
    model = tf.keras.Sequential([
        norm,
        tf.keras.layers.Dense(64, activation='relu'),
        tf.keras.layers.Dense(64, activation='relu'),
        tf.keras.layers.Dense(1)
    ])
    model.compile(loss='mean_absolute_error', optimizer=tf.keras.optimizers.SGD(0.001))
    return model

normalizer = tf.keras.layers.Normalization(axis=-1)
normalizer.adapt(features)

dnn_model = build_and_compile_model(normalizer)
dnn_model.fit(features, targets, validation_split=0.2, verbose=0, epochs=100)
