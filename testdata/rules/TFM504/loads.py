# A model that each iteration loads and evaluates.
import tensorflow as tf

for fold in range(10):
    model = tf.keras.models.load_model(f"fold{fold}.keras")  # want "Every iteration of the loop on line 4 loads another model"
    model.compile(loss="mse", metrics=["mae"])
    print(model.evaluate(x[fold], y[fold]))

for path in paths:
    model = tf.keras.models.load_model(path)  # want "Every iteration of the loop on line 9 loads another model"
    print(model.predict(x))

for path in paths:
    model = tf.keras.models.load_model(path)  # want "information: Every iteration of the loop on line 13 loads another model"
    print(model(x, training=False))
