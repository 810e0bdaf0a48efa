# The loop keeps the model, by its place in what the function returns.
import tensorflow as tf


def trained(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    losses = model.fit(x, y).history["loss"]
    return losses, model


kept, results, lists, rests = {}, {}, [], {}
for rate in [0.1, 0.01, 0.001]:
    losses, kept[rate] = trained(rate)

for rate in [0.1, 0.01, 0.001]:
    losses, model = trained(rate)
    lists.append(model)

for rate in [0.1, 0.01, 0.001]:
    result = trained(rate)
    results[rate] = result[1]

for rate in [0.1, 0.01, 0.001]:
    results[rate] = trained(rate)

for rate in [0.1, 0.01, 0.001]:
    *rest, last = trained(rate)
    rests[rate] = last
