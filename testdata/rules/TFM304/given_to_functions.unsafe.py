# What the functions are given is known from their calls.
import pandas as pd
import tensorflow as tf


def train(model, features, labels, size):
    model.compile("adam", "mse")
    model.fit(features, labels, batch_size=size)


def attributions(model, inputs):
    outputs = model.predict(inputs)  # want "This call takes all of inputs as one batch\. fit\(\) on line 8 uses batches of 64; here every layer"
    return outputs


table = pd.read_csv("train.csv")
x, y = table.drop(columns="y").values, table["y"].values
net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
train(net, x, y, 64)
print(attributions(net, x))
