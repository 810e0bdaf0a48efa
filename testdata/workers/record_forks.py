"""Records what becomes of a process that is forked after TensorFlow has run something.

python record_forks.py > forks-TENSORFLOW.csv

A case is a program of its own, which the system's alarm ends after 40 seconds: "hangs". GPUs are
hidden, so that a figure is one of the fork and not of CUDA."""

import contextlib
import os
import signal
import subprocess
import sys
import tempfile

TEXT = """
import os, signal
import numpy as np
import tensorflow as tf

double = tf.function(lambda x: tf.matmul(x, x))
ones = np.ones((600, 600), "float32")


class Data(getattr(tf.keras.utils, "PyDataset", tf.keras.utils.Sequence)):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        x = double(ones).numpy() if CALLS else ones
        return x[:4, :8], x[:4, :1]


def model():
    m = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(1)])
    m.compile("sgd", "mse")
    return m


def data(use_multiprocessing):
    double(ones)
    if hasattr(tf.keras.utils, "PyDataset"):
        model().fit(Data(workers=2, use_multiprocessing=use_multiprocessing), verbose=0)
    else:
        model().fit(Data(), workers=2, use_multiprocessing=use_multiprocessing, verbose=0)


def forked(used):
    m = model()
    if used:
        m.predict(ones[:4, :8], verbose=0)
    child = os.fork()
    if child == 0:
        signal.alarm(30)
        m.predict(ones[:4, :8], verbose=0)
        os._exit(0)
    if os.waitpid(child, 0)[1] != 0:
        signal.pause()


signal.alarm(40)
"""

CASES = [
    ("data of NumPy, processes", "CALLS = False\ndata(True)"),
    ("data of TensorFlow, processes", "CALLS = True\ndata(True)"),
    ("data of TensorFlow, threads", "CALLS = True\ndata(False)"),
    ("model built, then a fork predicts", "forked(False)"),
    ("model used, then a fork predicts", "forked(True)"),
]

if __name__ == "__main__":
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES="-1", TF_CPP_MIN_LOG_LEVEL="3")
    versions = subprocess.check_output([sys.executable, "-c", "import keras, tensorflow; print(tensorflow.__version__, keras.__version__)"], env=environment, stderr=subprocess.DEVNULL, text=True).split()
    print("# TensorFlow", versions[0], "Keras", versions[1], "Python %d.%d" % sys.version_info[:2])
    print("case,outcome")
    for name, call in CASES:
        with tempfile.TemporaryFile() as errors:
            ran = subprocess.Popen([sys.executable, "-c", TEXT + call], env=environment, stdout=subprocess.DEVNULL, stderr=errors, start_new_session=True)
            outcome = {0: "ends", -signal.SIGALRM: "hangs"}.get(ran.wait())
            if outcome == "hangs":
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(ran.pid, signal.SIGKILL)  # what it has forked waits on
            if outcome is None:
                errors.seek(0)
                sys.exit(name + ": " + errors.read().decode())
        print('"%s",%s' % (name, outcome), flush=True)
