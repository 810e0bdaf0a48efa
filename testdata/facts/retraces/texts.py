# Texts that are others in each iteration.
import glob
import os
import sys
from pathlib import Path

import tensorflow as tf
from tqdm import tqdm

for i in range(100):
    print(f"step {i}")  # retraces: text
    print("step " + str(i))  # retraces: text
    print("step %d" % i)  # retraces: text
    print("step %d of %s" % (i, 3))  # retraces: text
    print("step {}".format(i))  # retraces: text
    print(os.path.join("logs", f"{i}.npy"))  # retraces: text
    print(f"step {i % 2}")  # retraces: no
    print("step")  # retraces: no
    print(tf.constant(f"step {i}"))  # retraces: no
    print(input())  # retraces: text
for name in os.listdir("data"):
    print(name)  # retraces: text
    print(os.path.join("data", name))  # retraces: text
    print("data/" + name)  # retraces: text
    print(name.split(".")[0])  # retraces: no
for i, path in enumerate(sorted(glob.glob("*.png"))):
    print(path)  # retraces: text
    print(i)  # retraces: number
paths = [os.path.join("data", name) for name in os.listdir("data")]
for path in tqdm(paths):
    print(path)  # retraces: text
for path in Path("data").glob("*.png"):
    print(path)  # retraces: text
    print(str(path))  # retraces: text
with open("lines.txt") as f:
    for line in f:
        print(line)  # retraces: text
        print(line.strip().lower())  # retraces: text
for line in open("lines.txt").readlines():
    print(line)  # retraces: text
for line in open("lines.txt").read().splitlines():
    print(line)  # retraces: text
for line in open("data.bin", "rb"):
    print(line)  # retraces: no
for line in sys.stdin:
    print(line)  # retraces: text
for name in unknown:
    print(name)  # retraces: no
for kind in ["a", "b"]:
    print(kind)  # retraces: no
