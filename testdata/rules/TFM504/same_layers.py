# The model shares the layers of another, so that one of it would do for all iterations.
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")


def explain(picture, of, layer="last"):
    grad_model = tf.keras.models.Model([of.inputs], [of.get_layer(layer).output, of.output])
    with tf.GradientTape() as tape:
        features, predictions = grad_model(picture)
    return tape.gradient(predictions[:, 0], features)


class Explainer:
    def __init__(self, model):
        self.model = model

    def features(self, picture):
        layer = self.model.get_layer("last")
        part = tf.keras.Model(self.model.inputs, layer.output)
        return part.predict(picture)

    def all(self, pictures):
        for picture in pictures:
            save(self.features(picture))  # want "information: Every iteration of the loop on line 24 builds the same model again\. It is built from layers that exist before the loop"


for batch in pictures:
    if heat:
        grad_model = tf.keras.models.Model([model.inputs], [model.get_layer(index=-5).output, model.output])  # want "information: Every iteration of the loop on line 28 builds the same model again\."
        with tf.GradientTape() as tape:
            features, predictions = grad_model(batch)
        show(tape.gradient(predictions[:, 0], features))
    else:
        show(model.predict_on_batch(batch))
for picture in pictures:
    show(explain(picture, model))  # want "information: Every iteration of the loop on line 36 builds the same model again\."
Explainer(model).all(pictures)
