"""Records what a step of Keras 2.3 needs beside weights and slots. Its optimizers have no kernels of their
own in TensorFlow: each update consists of several operations.

    python record.py > keras-2.3.1.csv

needs Python 3.7, tensorflow==1.15.5, keras==2.3.1, h5py<3 and protobuf<3.21. TensorFlow 1.15 reports no
peak for the CPU, so the peak is summed from the allocations and deallocations in RunMetadata. One thread
runs the operations, and grappler's memory optimizer is off.
"""

import os
import subprocess
import sys

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
OPTIMIZERS = "SGD", "RMSprop", "Adagrad", "Adadelta", "Adam", "Adamax", "Nadam"


def record(name):
    import keras
    import numpy as np
    import tensorflow as tf
    from keras import backend, layers

    config = tf.ConfigProto(inter_op_parallelism_threads=1, intra_op_parallelism_threads=1)
    config.graph_options.rewrite_options.memory_optimization = 1
    backend.set_session(tf.Session(config=config))
    model = keras.models.Sequential([layers.Dense(2048, input_shape=(1024,), activation="relu"), layers.Dense(2048, activation="relu"), layers.Dense(10)])
    model.compile(getattr(keras.optimizers, name)(), "mse")
    x, y = np.zeros((64, 1024), "f"), np.zeros((64, 10), "f")
    model.train_on_batch(x, y)
    function, session = model.train_function, backend.get_session()
    feeds = dict(zip(model._feed_inputs + model._feed_targets + model._feed_sample_weights, [x, y, np.ones(64, "f")]))
    fetches = [model.total_loss, function.updates_op]
    session.run(fetches, feeds)
    told = tf.RunMetadata()
    session.run(fetches, feeds, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=told)
    changes = sorted(
        (record.alloc_micros, record.alloc_bytes)
        for device in told.step_stats.dev_stats if "CPU" in device.device.upper()
        for node in device.node_stats for memory in node.memory for record in memory.allocation_records)
    live = peak = 0
    for _, change in changes:
        live += change
        peak = max(peak, live)
    weights = sum(int(np.prod(w.shape.as_list())) for w in model.weights) * 4
    slots = sum(int(np.prod(w.shape.as_list())) for w in model.optimizer.weights) * 4
    print(f"{name},{weights},{slots},{peak}", flush=True)


if len(sys.argv) > 1:
    record(sys.argv[1])
else:
    print("optimizer,weights,slots,beside")
    for optimizer in OPTIMIZERS:
        said = subprocess.run([sys.executable, __file__, optimizer], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, universal_newlines=True).stdout
        print(said.splitlines()[-1], flush=True)
