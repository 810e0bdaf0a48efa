"""Records how much memory of the machine itself small programs take, with real TensorFlow.

    python record.py cases/*.py --out host.csv
    python record.py cases/*.py --only REGEX          prints the rows that match, and writes nothing

Needs Linux and TensorFlow 2.21 with Keras 3.15, and no GPU: tensors that would lie on one lie in the
machine's memory here, and tfmem's figure for a program without a GPU is compared with the record.

Every program runs in a process of its own, between 50 and 400 MB each, so that what TensorFlow itself
takes is small beside it. Before it starts, an array becomes a tensor, a pipeline runs and a small model
is trained; what the process has then is the base. `peak` is the most that the process and its children
have beyond the base while the program runs, in bytes. The kernel counts it (VmHWM, which is set back
before the program starts) for one process; with children the proportional set sizes are summed every
20 milliseconds, because forked processes share pages. With `--runs 3` a row is the median of three runs.
`table` needs pandas, `histograms` TensorBoard.
"""

import argparse
import csv
import os
import re
import statistics
import subprocess
import sys

RUN = r"""
import os, runpy, sys, threading, time
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
import numpy as np
import tensorflow as tf
import keras

x = np.ones((64, 16), "float32")
model = keras.Sequential([keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, x[:, :1], verbose=0)
model.predict(x, verbose=0)
for _ in tf.data.Dataset.from_tensor_slices(x).map(lambda r: r + 1, num_parallel_calls=4).shuffle(4).cache().batch(4).prefetch(2):
    pass
del model, x
import gc
gc.collect()


def status(field):
    with open("/proc/self/status") as f:
        for line in f:
            if line.startswith(field + ":"):
                return int(line.split()[1]) * 1024


def shared(pid):
    try:
        with open(f"/proc/{pid}/smaps_rollup") as f:
            for line in f:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0


def children(pid):
    found = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children") as f:
                for child in f.read().split():
                    found += [child] + children(child)
    except OSError:
        pass
    return found


most, done = 0, False


def watch():
    global most
    while not done:
        family = children(os.getpid())
        if family:
            most = max(most, shared(os.getpid()) + sum(map(shared, family)))
        time.sleep(0.02)


if __name__ == "__main__":
    base, alone = status("VmRSS"), shared(os.getpid())
    with open("/proc/self/clear_refs", "w") as f:
        f.write("5")
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    sys.argv = sys.argv[1:]
    runpy.run_path(sys.argv[0], run_name="__main__")
    done = True
    watcher.join()
    print("PEAK", max(status("VmHWM") - base, most - alone), tf.__version__, keras.__version__, flush=True)
    os._exit(0)
"""


def measure(case):
    env = dict(os.environ, PYTHONPATH=os.environ.get("PYTHONPATH", ""))
    out = subprocess.run([sys.executable, "-c", RUN, case], capture_output=True, text=True, env=env)
    found = re.search(r"PEAK (-?\d+) (\S+) (\S+)", out.stdout)
    if not found:
        sys.exit(f"{case} failed:\n{out.stdout[-500:]}{out.stderr[-1500:]}")
    return int(found[1]), f"tensorflow-{found[2]}-keras-{found[3]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+")
    parser.add_argument("--out")
    parser.add_argument("--only", default="")
    parser.add_argument("--runs", type=int, default=1)
    args = parser.parse_args()
    rows = {}
    if args.out and os.path.exists(args.out):
        with open(args.out) as f:
            rows = {r["case"]: r for r in csv.DictReader(f)}
    for case in sorted(args.cases):
        name = os.path.splitext(os.path.basename(case))[0]
        if not re.search(args.only, name):
            continue
        runs = [measure(case) for _ in range(args.runs)]
        peaks = [p for p, _ in runs]
        rows[name] = {"case": name, "peak": int(statistics.median(peaks)), "low": min(peaks), "high": max(peaks), "with": runs[0][1]}
        print(f"{name:24} {rows[name]['peak'] / 1e6:8.1f} MB  {min(peaks) / 1e6:8.1f} to {max(peaks) / 1e6:8.1f}", flush=True)
    if args.out:
        with open(args.out, "w", newline="") as f:
            w = csv.DictWriter(f, ["case", "peak", "low", "high", "with"], lineterminator="\n")
            w.writeheader()
            w.writerows(rows[k] for k in sorted(rows))


if __name__ == "__main__":
    main()
