"""What is in the file is not known: the variables of a model with an Embedding go."""
import gc

import tensorflow as tf

for fold, (train, rest) in enumerate(folds.split(x, y)):
    net = tf.keras.models.load_model("start.keras")
    net.fit(x[train], y[train], epochs=20)
    print(net.evaluate(x[rest], y[rest]))
    del net
    tf.keras.backend.clear_session()
    gc.collect()
