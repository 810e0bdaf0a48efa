"""Records what examples of TensorFlow Datasets' data sets are made of.

    python record.py > tfds.csv

It needs TensorFlow and tensorflow-datasets, and downloads nothing: the shapes are
those that the builders declare. A row is a data set, or one of its configurations.
Elements are the tensors of an example under as_supervised=True, features first, where
there is such a pair. Classes is what the feature of the labels is named, and of how many
classes they are, where they are labels. Example is the dictionary that an example is
otherwise, where no feature is nested. Left out are data sets of which neither is known, or
that do not say what they hold before they are downloaded.
"""

import csv
import signal
import sys

import tensorflow as tf
import tensorflow_datasets as tfds

SECONDS = 10  # a builder may take to describe itself
CONFIGURATIONS = 12  # of a data set are told apart; of those with more, the first
FEATURES = 64  # of an example are told; nobody feeds more to a model by name


def main():
    tfds.core.utils.gcs_utils.gcs_access_disabled = True
    signal.signal(signal.SIGALRM, give_up)
    rows = []
    for name in tfds.list_builders(with_community_datasets=False):
        made = tfds.builder_cls(name)
        configurations = list(made.builder_configs)
        rows.append((name, elements(made, None)))
        if 1 < len(configurations) <= CONFIGURATIONS:
            rows += [(f"{name}/{c}", elements(made, c)) for c in configurations]
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(("name", "elements", "classes", "example"))
    out.writerows((name, *row) for name, row in rows if row)


def give_up(*_):
    raise TimeoutError


def elements(made, configuration):
    signal.alarm(SECONDS)
    try:
        info = made(data_dir="/nonexistent", config=configuration).info
        keys = info.supervised_keys
        pair, classes = "", ""
        if keys and len(keys) == 2 and all(isinstance(k, str) for k in keys):
            specs = [info.features[k].get_tensor_spec() for k in keys]
            label = info.features[keys[1]]
            if plain(specs):
                pair = ", ".join(written(s) for s in specs)
                if isinstance(label, tfds.features.ClassLabel) and label.num_classes:
                    classes = f"{keys[1]} {label.num_classes}"
        specs = info.features.get_tensor_spec()
        whole = ""
        if len(specs) <= FEATURES and plain(specs.values()):
            whole = ", ".join(f"{k}: {written(specs[k])}" for k in sorted(specs))
    except Exception:  # whatever keeps a builder from describing itself
        return None
    finally:
        signal.alarm(0)
    return (pair, classes, whole) if pair or whole else None


def plain(specs):
    return all(isinstance(s, tf.TensorSpec) and s.shape.rank is not None for s in specs)


def written(spec):
    shape = "x".join("?" if n is None else str(n) for n in spec.shape)
    return f"{shape} {spec.dtype.name}".strip()


if __name__ == "__main__":
    main()
