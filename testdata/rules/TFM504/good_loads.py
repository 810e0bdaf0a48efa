# Loaded models that are kept, loaded once, or not of Keras.
import tensorflow as tf

ensemble = [tf.keras.models.load_model(path) for path in paths]
models = []
for path in paths:
    model = tf.keras.models.load_model(path)
    models.append(model)
    print(model.predict(x))

by_name = {}
for path in paths:
    by_name[path] = tf.keras.models.load_model(path)
    print(by_name[path].predict(x))

best = None
for batch in batches:
    if best is None:
        best = tf.keras.models.load_model("best.keras")
    print(best.predict(batch))

for path in ("first.keras", "last.keras"):
    model = tf.keras.models.load_model(path)
    print(model.predict(x))

for path in paths:
    model = tf.keras.models.load_model(path)
    model.summary()

for path in paths:
    model = tf.saved_model.load(path)
    print(model.signatures)
