"""Records what a step of models needs whose layers behave otherwise in training, in graphs with the
switches of TensorFlow 1: under Keras 2.3, and under the tf.keras of TensorFlow 1.15.

    python record_branches.py branches.txt > branches.csv

needs what record.py needs, and sums up the peak as that does. The batch is not in it, nor what a kernel
frees before it ends, which is scratch. EXPLAIN=1 with a Keras and a case lists the largest tensors
that are there at the peak.
"""

import collections
import csv
import os
import subprocess
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
BATCH = 32


def record(package, case):
    import numpy as np
    import tensorflow as tf

    if package == "keras":
        import keras
    else:
        from tensorflow import keras
    backend, layers = keras.backend, keras.layers
    config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    config.graph_options.rewrite_options.memory_optimization = 1
    backend.set_session(tf.Session(config=config))
    shape, _, expression = case.partition(" -> ")
    inputs = layers.Input(eval(shape))
    out = eval(expression, dict(vars(layers), x=inputs))
    model = keras.models.Model(inputs, layers.GlobalAveragePooling1D()(layers.Reshape((-1, 1))(out)))
    model.compile("sgd", "mse")
    x, y = np.zeros((BATCH,) + eval(shape), "f"), np.zeros((BATCH, 1), "f")
    model.train_on_batch(x, y)
    fed = model._feed_inputs + model._feed_targets + (model._feed_sample_weights or [])
    if len(fed) == 2:  # tf.keras has them elsewhere
        fed += [e.sample_weight for e in model._training_endpoints if e.sample_weight is not None]
    feeds = dict(zip(fed, [x, y, np.ones(BATCH, "f")]))
    feeds[backend.learning_phase()] = True
    fetches = [model.total_loss, model.train_function.updates_op]
    session, told = backend.get_session(), tf.RunMetadata()
    session.run(fetches, feeds)
    session.run(fetches, feeds, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=told)
    changes = sorted(
        change for device in told.step_stats.dev_stats if "CPU" in device.device.upper()
        for node in device.node_stats for memory in node.memory for change in lasting(node, memory))
    live = peak = at = 0
    for i, (_, change, _) in enumerate(changes):
        live += change
        if live > peak:
            peak, at = live, i
    if os.environ.get("EXPLAIN"):
        alive = collections.Counter()
        for _, change, name in changes[:at + 1]:
            alive[name] += change
        for name, size in alive.most_common(14):
            print("%9.2f MiB %s" % (size / 2**20, name), file=sys.stderr)
    count = lambda all: sum(int(np.prod(w.shape.as_list())) for w in all) * 4
    slots = count(model.optimizer.weights) if package == "keras" else 0  # SGD of tf.keras has none
    csv.writer(sys.stdout, lineterminator="\n").writerow([case, package, count(model.weights), slots, peak])


def lasting(node, memory):
    """What a kernel allocates, and what is freed of it after its end."""
    end = node.all_start_micros + node.op_end_rel_micros
    scratch = collections.Counter(-r.alloc_bytes for r in memory.allocation_records if r.alloc_bytes < 0 and r.alloc_micros <= end)
    for r in memory.allocation_records:
        if r.alloc_bytes > 0 and scratch[r.alloc_bytes]:
            scratch[r.alloc_bytes] -= 1
        elif r.alloc_bytes > 0 or r.alloc_micros > end:
            yield r.alloc_micros, r.alloc_bytes, node.node_name


if len(sys.argv) > 2:
    record(sys.argv[1], sys.argv[2])
else:
    print("case,keras,weights,slots,beside", flush=True)
    for line in open(sys.argv[1]):
        for package in ("keras", "tf.keras") if " -> " in line else ():
            said = subprocess.run([sys.executable, __file__, package, line.strip()], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, universal_newlines=True).stdout
            print(said.splitlines()[-1], flush=True)
