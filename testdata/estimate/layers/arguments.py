"""Lists the names of the arguments that Keras's layer classes may take.

    python arguments.py > ../../../analyzer/keras/classes/layer_arguments_keras3.txt
    TF_USE_LEGACY_KERAS=1 python arguments.py > ../../../analyzer/keras/classes/layer_arguments_tf_keras.txt

needs TensorFlow, tf_keras, and nothing of tfmem. A line a class that keras.layers exports: its
name, and every name that may be an argument's. These are the parameters of the constructors of the
class and of its bases, and every text in their source that could be a key of **kwargs. A class
whose constructor takes no **kwargs has its own parameters only.
"""

import ast
import inspect
import os
import textwrap

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf


def names_of(cls):
    found = set()
    for base in cls.__mro__:
        init = base.__dict__.get("__init__")
        if init is None or base is object:
            continue
        parameters = inspect.signature(init).parameters.values()
        found.update(p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))
        if not any(p.kind == p.VAR_KEYWORD for p in parameters):
            break
        for node in ast.walk(ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(init))))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
                found.add(node.value)
    return sorted(found - {"self"})


def main():
    layers = tf.keras.layers
    print("# TensorFlow", tf.__version__ + ": testdata/estimate/layers/arguments.py")
    for name, value in sorted(vars(layers).items()):
        if inspect.isclass(value) and issubclass(value, layers.Layer) and value is not layers.Layer:
            print(name, *names_of(value))


if __name__ == "__main__":
    main()
