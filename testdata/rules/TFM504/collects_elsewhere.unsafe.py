# What is freed once, after another loop, frees no model of this one.
import gc

import tensorflow as tf


def pretrain(model):
    for epoch in range(100):
        step(model)
    gc.collect()


pretrain(tf.keras.applications.ResNet50())
for pair in pairs:
    head = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    head = tf.keras.models.load_model(path)
    model = tf.keras.Sequential([head, tf.keras.layers.Dense(6)])  # want "builds another model, and none is freed"
    model.compile("sgd", "mse")
    model.fit(images[pair], labels)
