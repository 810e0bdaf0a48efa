import tensorflow as tf
from tensorflow.keras import layers
import gc

for units in sizes:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential()  # want "warning: Every iteration of the loop on line 4 builds another model, and none is freed\. Earlier models stay in memory until Python's garbage collector finds them: nothing here calls clear_session\(\) or gc\.collect\(\)\.$"
    model.add(layers.Dense(units))
    model.compile("adam", "mse")
    model.fit(x, y)

for fold, (train, test) in enumerate(folds):
    # Another one for each fold.
    encoder = inputs = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    encoder = tf.keras.Sequential([layers.Dense(8)])  # want "loop on line 10"
    inputs = tf.keras.Input((4,))
    model = tf.keras.Model(inputs, encoder(inputs))
    model.compile(loss="mse", optimizer="sgd")
    scores.append(model.evaluate(x[test], y[test]))
    if scores[-1] > best_score:
        best = model
