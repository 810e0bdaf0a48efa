# Each iteration needs another model, or none is built in it.
import tensorflow as tf

model = tf.keras.models.load_model("model.keras")
layers = [tf.keras.layers.Dense(3)] * 3


def explain(picture, layer):
    part = tf.keras.Model(model.inputs, model.get_layer(layer).output)
    return part(picture)


class Block(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.dense = tf.keras.layers.Dense(units)

    def call(self, x):
        return self.dense(x)


for layer in model.layers:
    part = tf.keras.Model(model.inputs, layer.output)
    show(part(picture))
for layer in names:
    show(explain(picture, layer))
for other in models:
    part = tf.keras.Model(other.inputs, other.layers[-2].output)
    show(part.predict(picture))
for picture in pictures:
    part = tf.keras.Model(model.inputs, tf.keras.layers.Dense(3)(model.output))
    show(part(picture))
for picture in pictures:
    tf.keras.Model(model.inputs, model.output).summary()  # it computes nothing
for picture in pictures:
    show(explain(picture, choose()))
for picture in pictures:
    parts.append(tf.keras.Model(model.inputs, model.output))
    parts[-1].predict(picture)

x = tf.keras.Input((8,))
for units in range(3, 12):
    x = Block(units)(x)  # a layer of a larger model
for units in range(3, 12):
    block = Block(units)
    x = block(x)
for i in range(10):
    part = tf.keras.Sequential(layers)
    part.predict(picture)
