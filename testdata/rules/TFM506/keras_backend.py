# Functions of keras.backend build operations where eager execution is off.
# keras: 2.15
import numpy as np
import tensorflow as tf
from tensorflow.keras import backend as K

tf.compat.v1.disable_eager_execution()

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(3, activation="softmax")])
x, labels = np.random.rand(32, 4), np.eye(3)[np.zeros(32, int)]
for i in range(1000):
    predicted = model.predict(x)
    loss = K.categorical_crossentropy(K.constant(labels), K.constant(predicted))  # want "warning: K\.categorical_crossentropy\(\) and 1 other call add operations to the graph in every loop iteration\. The loop is on line 11, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
    print(K.eval(K.mean(loss)))

rate = K.variable(0.1)
for epoch in range(1000):
    print(K.get_value(K.sqrt(rate)))  # want "K\.sqrt\(\) adds operations to the graph in every loop iteration\."

for image in images:
    gradients = K.gradients(K.mean(model.output), model.inputs)  # want "K\.gradients\(\) and 1 other call add operations to the graph in every loop iteration\."
    saliency = K.function(model.inputs, gradients)
    show(saliency([image]))
while True:
    print(K.function(model.inputs, model.outputs)([x]))  # want "K\.function\(\) adds operations to the graph in every loop iteration\."


def score(batch):
    return K.eval(K.mean(K.square(model(batch))))


for batch in batches:
    print(score(batch))  # want "score\(\) adds operations to the graph in every loop iteration\."
