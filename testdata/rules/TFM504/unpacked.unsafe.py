"""Of what the function returns, the loop keeps the numbers, and not the model."""
import tensorflow as tf
import gc


def trained(rate):
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    losses = model.fit(x, y).history["loss"]
    return losses, model


curves, lists, sums = {}, [], {}
for rate in [0.1, 0.01, 0.001]:
    _ = None
    tf.keras.backend.clear_session()
    gc.collect()
    losses, _ = trained(rate)  # want "Every iteration of the loop on line 13 builds another model, and none is freed\."
    curves[rate] = losses

for rate in [0.1, 0.01, 0.001]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    (losses, model) = trained(rate)  # want "Every iteration of the loop on line 17 builds another model, and none is freed\."
    lists.append(losses)

for rate in [0.1, 0.01, 0.001]:
    result = None
    tf.keras.backend.clear_session()
    gc.collect()
    result = trained(rate)  # want "Every iteration of the loop on line 21 builds another model, and none is freed\."
    sums[rate] = result[0]
