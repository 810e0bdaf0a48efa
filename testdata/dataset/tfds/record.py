"""Records what examples of TensorFlow Datasets' data sets are made of.

    python record.py > tfds.csv

It needs TensorFlow and tensorflow-datasets, and downloads nothing: the shapes are
those that the builders declare. A row is a data set, or one of its configurations,
and the tensors of an example under as_supervised=True, features first. Left out are
data sets that have no such pair, whose tensors are nested, or that do not say what
they hold before they are downloaded. Classes is what the feature of the labels is
named, and of how many classes they are, where they are labels.
"""

import csv
import signal
import sys

import tensorflow as tf
import tensorflow_datasets as tfds

SECONDS = 10  # a builder may take to describe itself
CONFIGURATIONS = 12  # of a data set are told apart; of those with more, the first


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
    out.writerow(("name", "elements", "classes"))
    out.writerows((name, *row) for name, row in rows if row)


def give_up(*_):
    raise TimeoutError


def elements(made, configuration):
    signal.alarm(SECONDS)
    try:
        info = made(data_dir="/nonexistent", config=configuration).info
        keys = info.supervised_keys
        if not keys or len(keys) != 2 or not all(isinstance(k, str) for k in keys):
            return None
        specs = [info.features[k].get_tensor_spec() for k in keys]
        label = info.features[keys[1]]
    except Exception:  # whatever keeps a builder from describing itself
        return None
    finally:
        signal.alarm(0)
    if not all(isinstance(s, tf.TensorSpec) and s.shape.rank is not None for s in specs):
        return None
    labels = isinstance(label, tfds.features.ClassLabel) and label.num_classes
    classes = f"{keys[1]} {label.num_classes}" if labels else ""
    return ", ".join(written(s) for s in specs), classes


def written(spec):
    shape = "x".join("?" if n is None else str(n) for n in spec.shape)
    return f"{shape} {spec.dtype.name}".strip()


if __name__ == "__main__":
    main()
