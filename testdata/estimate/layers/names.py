"""Lists the attributes of Keras's layers and models: of each class and of its instances.

    python names.py > one.txt        in each environment, with TF_USE_LEGACY_KERAS=1 for tf_keras
    sort -u one.txt two.txt … > ../../../analyzer/keras/classes/layer_names.txt

An attribute of an instance is what a method of the class, or of one that it inherits from,
names after "self.".
"""

import inspect
import os
import re

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf


def main():
    keras = tf.keras
    names = set()
    for module in (keras, keras.layers, keras.models):
        for name in dir(module):
            made = getattr(module, name)
            if not inspect.isclass(made) or not issubclass(made, (keras.layers.Layer, tf.Module)):
                continue
            names.update(dir(made))
            for base in made.__mro__:
                if "keras" in base.__module__ or "tensorflow" in base.__module__:
                    try:
                        names.update(re.findall(r"self\.(\w+)", inspect.getsource(base)))
                    except (OSError, TypeError):
                        pass
    print("\n".join(sorted(names)))


if __name__ == "__main__":
    main()
