"""Check the files of a folder with `tfmem check --stream` on Apache Spark.

    pip install pyspark        # and a Java runtime
    go build -o tfmem ./cmd/tfmem
    python testdata/bench/spark/check.py --tfmem ./tfmem FOLDER

It starts local clusters of as many workers as --workers says, each a process with one
core, and compares their answers with those of one process. Differences end it with 1.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time

import pyspark


def lines(folder, most):
    """One line a Python file, sorted by path; one that is not UTF-8 is left out."""
    paths = sorted(
        os.path.relpath(os.path.join(at, name), folder)
        for at, _, names in os.walk(folder) for name in names if name.endswith(".py")
    )
    found = []
    for path in paths[:most]:
        try:
            with open(os.path.join(folder, path), encoding="utf-8", newline="") as f:
                found.append(json.dumps({"path": path, "content": f.read()}))
        except (UnicodeDecodeError, OSError):
            continue
    return found


def one_process(command, given):
    start, before = time.time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, input="\n".join(given) + "\n", stdout=subprocess.PIPE, encoding="utf-8")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return run.stdout.splitlines(), time.time() - start, f"{cpu:.1f} s of CPU, {after.ru_maxrss * 1024 / 1e6:.0f} MB at its peak"


def on_spark(command, given, workers, parts):
    conf = pyspark.SparkConf().setAppName("tfmem").set("spark.ui.enabled", "false").set("spark.executor.memory", "512m")
    conf.setMaster(f"local-cluster[{workers},1,512]")
    context = pyspark.SparkContext(conf=conf)
    context.setLogLevel("ERROR")
    try:
        context.parallelize(range(workers * 4), workers * 4).map(lambda x: x).count()  # the executors have started
        start = time.time()
        # A process answers all lines of a partition. pipe ignores its exit code.
        answers = context.parallelize(given, parts).pipe(command).collect()
        return answers, time.time() - start
    finally:
        context.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--tfmem", default="tfmem", help="the binary")
    parser.add_argument("--files", type=int, default=4000, help="the most files")
    parser.add_argument("--workers", default="1,2", help="of the clusters, separated by commas")
    parser.add_argument("--parts", type=int, default=16, help="partitions of the files")
    args = parser.parse_args()
    tfmem = shutil.which(args.tfmem)
    if not tfmem:
        sys.exit(f"there is no {args.tfmem}")
    # One core for each process; and nothing of this machine counts that another may have otherwise.
    command = f"env GOMAXPROCS=1 TFMEM_GPU=none {os.path.abspath(tfmem)} check --stream --isolated"

    given = lines(args.folder, args.files)
    expected, seconds, used = one_process(command.split(), given)
    findings = sum(len(json.loads(a)["findings"]) for a in expected)
    print(f"{len(given)} files, {sum(map(len, given)) / 1e6:.1f} MB, {findings} findings")
    print(f"one process: {seconds:.1f} s, {used}", flush=True)
    same = len(expected) == len(given)
    for workers in map(int, args.workers.split(",")):
        answers, seconds = on_spark(command, given, workers, args.parts)
        equal = answers == expected
        same = same and equal
        print(f"Spark {pyspark.__version__}, workers: {workers}: {seconds:.1f} s, answers {'the same' if equal else 'DIFFER'}", flush=True)
    sys.exit(0 if same else 1)


if __name__ == "__main__":
    main()
