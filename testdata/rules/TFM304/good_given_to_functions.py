# One call passes another array, and another passes another size.
import pandas as pd
import tensorflow as tf


def train(model, features, labels, size):
    model.compile("adam", "mse")
    model.fit(features, labels, batch_size=size)


def attributions(model, inputs):
    outputs = model(inputs)
    return outputs.numpy()


def predictions(model, inputs):
    return model(inputs)


table = pd.read_csv("train.csv")
x, y = table.drop(columns="y").values, table["y"].values
net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
train(net, x, y, 64)
train(net, x, y, 128)
print(attributions(net, x), attributions(net, x[:10]))
print(predictions(net, x))
