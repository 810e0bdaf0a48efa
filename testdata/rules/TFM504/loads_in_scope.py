# Models that are loaded in a scope of custom objects, which clear_session would drop.
import tensorflow as tf

with tf.keras.utils.custom_object_scope({"Own": Own}):
    for path in paths:
        model = tf.keras.models.load_model(path)  # want "Every iteration of the loop on line 5 loads another model"
        print(model.predict(x))
