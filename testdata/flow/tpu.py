# Of what is tried on a TPU first only that is noted which a machine with a GPU runs.
import sys
from os import putenv as mark

import tensorflow as tf

try:
    mark("TRIED", "")
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()
    mark("ON_TPU", "")
    tf.config.experimental_connect_to_cluster(tpu)
except ValueError:
    tpu = None
    mark("NO_TPU", "")
else:
    mark("ELSE_ON_TPU", "")
mark("AFTER", "")

if tpu:
    mark("ON_TPU", "")
elif len(sys.argv) > 1:
    mark("ELIF", "")
else:
    mark("ELSE", "")
if tpu is None:
    mark("NO_TPU", "")
if not tpu:
    mark("NO_TPU", "")
elif tpu is not None and sys.argv:
    mark("ON_TPU", "")
if tpu and sys.argv:
    mark("ON_TPU", "")
else:
    mark("NO_TPU", "")
if not tpu and sys.argv:
    mark("PERHAPS", "")
if tpu is None or sys.argv:
    mark("NO_TPU", "")


def by_address(address):
    if address:
        strategy = tf.distribute.TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver(address))
        only_on_tpu()
        return strategy
    mark("FOLLOWS", "")
    return tf.distribute.MirroredStrategy()


def only_on_tpu():
    mark("ON_TPU", "")


def tried():
    try:
        resolver = make()
    except (ValueError, tf.errors.NotFoundError):
        return mark("INSTEAD", "")
    mark("TRIED_ON_TPU", "")


def make():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    mark("MADE", "")
    return resolver


def required():
    try:
        tf.distribute.cluster_resolver.TPUClusterResolver()
    except ValueError:
        raise BaseException("there is no TPU")
    mark("REQUIRED", "")


by_address(sys.argv)
tried()
for _ in range(2):
    if len(sys.argv) > 2:
        make()
        mark("ON_TPU", "")
    else:
        mark("LOOP_ELSE", "")
    mark("LOOP", "")
required()
mark("LAST", "")
