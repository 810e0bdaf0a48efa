"""Records what functions of keras.backend add to the graph of Keras 2 while eager execution is off.

    python record.py                         > tensorflow-VERSION-keras-VERSION.json
    TF_USE_LEGACY_KERAS=1 python record.py   > tensorflow-VERSION-tf_keras-VERSION.json

No GPU is needed. `operations` says how many operations one call of a function adds once it was called
before, `iterations` how many the second of two iterations of a loop adds that does what the row says. TFM506 rests
on this; TestBackend in rules/graph compares.
"""

import importlib.metadata
import json
import os

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
keras = tf.keras
K = keras.backend
graph = tf.compat.v1.get_default_graph()
x = np.random.rand(8, 4).astype("float32")
y = np.eye(4, dtype="float32")[np.zeros(8, int)]
v = K.variable(x)
model = keras.Sequential([keras.layers.Input((4,)), keras.layers.Dense(4, activation="softmax")])
model.compile("adam", "categorical_crossentropy")

ONE = ["abs", "all", "any", "argmax", "argmin", "cumprod", "cumsum", "elu", "exp", "expand_dims", "flatten", "hard_sigmoid", "identity", "log",
       "max", "mean", "min", "ones_like", "prod", "relu", "round", "shape", "sigmoid", "sign", "sin", "softmax", "softplus", "softsign", "sqrt",
       "square", "std", "stop_gradient", "sum", "tanh", "transpose", "var", "zeros_like"]
CALLS = {name: (lambda name=name: getattr(K, name)(v)) for name in ONE} | {
    "binary_crossentropy": lambda: K.binary_crossentropy(y, v),
    "cast": lambda: K.cast(v, "float64"),
    "categorical_crossentropy": lambda: K.categorical_crossentropy(y, v),
    "clip": lambda: K.clip(v, 0.1, 0.9),
    "concatenate": lambda: K.concatenate([v, v]),
    "constant": lambda: K.constant(1.0),
    "dot": lambda: K.dot(v, K.transpose(v)),
    "equal": lambda: K.equal(v, v),
    "greater": lambda: K.greater(v, v),
    "less": lambda: K.less(v, v),
    "maximum": lambda: K.maximum(v, v),
    "minimum": lambda: K.minimum(v, v),
    "not_equal": lambda: K.not_equal(v, v),
    "one_hot": lambda: K.one_hot([1], 3),
    "pow": lambda: K.pow(v, 2.0),
    "random_normal": lambda: K.random_normal((2, 2)),
    "random_uniform": lambda: K.random_uniform((2, 2)),
    "reshape": lambda: K.reshape(v, (-1,)),
    "sparse_categorical_crossentropy": lambda: K.sparse_categorical_crossentropy(np.zeros(8), v),
    "squeeze": lambda: K.squeeze(v[:1], 0),
    "stack": lambda: K.stack([v, v]),
    "switch": lambda: K.switch(K.greater(K.sum(v), 0.0), v, v),
    "update": lambda: K.update(v, x),
    "update_add": lambda: K.update_add(v, x),
    "variable": lambda: K.variable(x),
    "gradients": lambda: K.gradients(model.output, model.inputs),
    "function": lambda: K.function(model.inputs, model.outputs),
    "eval": lambda: K.eval(v),
    "get_value": lambda: K.get_value(v),
    "set_value": lambda: K.set_value(v, x),
    "batch_get_value": lambda: K.batch_get_value([v]),
    "batch_set_value": lambda: K.batch_set_value([(v, x)]),
    "int_shape": lambda: K.int_shape(v),
    "ndim": lambda: K.ndim(v),
    "dtype": lambda: K.dtype(v),
    "floatx": lambda: K.floatx(),
    "epsilon": lambda: K.epsilon(),
    "image_data_format": lambda: K.image_data_format(),
    "learning_phase": lambda: K.learning_phase(),
    "get_uid": lambda: K.get_uid("a"),
    "get_session": lambda: tf.compat.v1.keras.backend.get_session(),
}
rate, mean = K.variable(0.1), K.mean(v)
run = K.function(model.inputs, model.outputs)
loss = keras.losses.MeanSquaredError()
LOOPS = {
    "eval(mean(x))": lambda: K.eval(K.mean(v)),
    "get_value(mean(x))": lambda: K.get_value(K.mean(v)),
    "eval(one made before)": lambda: K.eval(mean),
    "get_value(variable)": lambda: K.get_value(rate),
    "set_value(variable)": lambda: K.set_value(rate, 0.1),
    "function made and called": lambda: K.function(model.inputs, model.outputs)([x]),
    "function called": lambda: run([x]),
    "gradients in a function": lambda: K.function(model.inputs, K.gradients(K.mean(model.output), model.inputs))([x]),
    "eval(loss(y, y))": lambda: K.eval(loss(y, y)),
    "eval(model(x))": lambda: K.eval(model(x)),
    "predict": lambda: model.predict(x, verbose=0),
    "train_on_batch": lambda: model.train_on_batch(x, y),
    "get_weights": lambda: model.get_weights(),
    "set_weights": lambda: model.set_weights(model.get_weights()),
    "save and load weights": lambda: (model.save_weights("/tmp/w.h5"), model.load_weights("/tmp/w.h5")),
}


def added(call):
    try:
        call(), call()
        before = len(graph.get_operations())
        call()
    except Exception as e:  # what it raises is recorded
        return type(e).__name__
    return len(graph.get_operations()) - before


name = keras.Model.__module__.split(".")[0]
json.dump(
    {
        "tensorflow": tf.__version__,
        "keras": name + " " + importlib.metadata.version(name),
        "operations": {"tensorflow.keras.backend." + what: added(call) for what, call in CALLS.items()},
        "iterations": {what: added(call) for what, call in LOOPS.items()},
    },
    __import__("sys").stdout,
    indent=1,
)
print()
