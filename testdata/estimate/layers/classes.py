"""Lists Keras's layer classes with what their source says of them.

    python classes.py > ../../../analyzer/keras/classes/layer_classes_keras3.txt
    python classes.py > ../../../analyzer/keras/classes/layer_classes_keras2.txt    with TensorFlow 2.13

needs TensorFlow and nothing of tfmem. A line a class that keras.layers exports: its name;
"extends" with the exported classes that it extends, nearest first; "training" where call takes
training=; "nojit" where the class, or one that it extends, may set supports_jit to False.
"""

import inspect
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"

import tensorflow as tf


def main():
    layers = tf.keras.layers
    exported = {
        name: value for name, value in sorted(vars(layers).items())
        if inspect.isclass(value) and issubclass(value, layers.Layer) and value is not layers.Layer
    }
    names = {value: value.__name__ for value in exported.values()}
    print("# TensorFlow", tf.__version__ + ": testdata/estimate/layers/classes.py")
    for name, value in exported.items():
        words = [name]
        bases = [names[base] for base in value.__mro__[1:] if base in names]
        if bases:
            words.append("extends=" + ",".join(bases))
        if "training" in inspect.signature(value.call).parameters:
            words.append("training")
        if any("supports_jit = False" in inspect.getsource(c) for c in value.__mro__ if c in names):
            words.append("nojit")
        print(*words)


if __name__ == "__main__":
    main()
