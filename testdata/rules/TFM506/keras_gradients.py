import numpy as np
import tensorflow.compat.v1 as tf
from tensorflow.compat.v1.keras.models import load_model
import tensorflow.compat.v1.keras.backend as K

tf.disable_v2_behavior()


def heatmap(data, model, nth, layer):
    data = data[nth:nth + 1]
    layer_output = model.get_layer(layer).output
    grads = K.gradients(model.output[:, 0], layer_output)[0]
    pooled = K.mean(grads, axis=(0, 1))
    iterate = K.function([model.input], [pooled, layer_output[0]])
    pooled_value, output_value = iterate([data])
    return np.mean(pooled_value * output_value, axis=-1)


def all_heatmaps(model, data, layer):
    result = []
    for nth in range(data.shape[0]):
        result.append(heatmap(data, model, nth, layer))  # want "K.function\(\) makes of them, once before the loop"
    return result


def once(model, data, layer):
    layer_output = model.get_layer(layer).output
    grads = K.gradients(model.output[:, 0], layer_output)[0]
    iterate = K.function([model.input], [grads, layer_output[0]])
    return [iterate([data[n:n + 1]]) for n in range(data.shape[0])]


model = load_model("m.h5")
print(all_heatmaps(model, np.load("x.npy"), "conv"), once(model, np.load("x.npy"), "conv"))
