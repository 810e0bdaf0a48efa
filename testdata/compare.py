#!/usr/bin/env python3
"""Compares what two builds of tfmem say of the same trees: findings and estimates.

    testdata/compare.py OLD NEW FOLDER...

runs "check --select ALL" and "estimate" of both programs as JSON, and prints each finding and
each model that only one of them has, or of which they say different things. A refactoring leaves
nothing to print; the exit status is 1 otherwise. Two seconds per thousand files and build.
"""

import collections
import json
import subprocess
import sys

GPU = "RTX 3090"  # so that models are priced, and weighed


def said(program, folder):
    """What a program says of a folder, as a multiset of (kind, place, JSON)."""
    out = collections.Counter()
    run = lambda *args: subprocess.run([program, *args, "--gpu", GPU, "--output-format", "json", folder], capture_output=True, text=True)
    check, estimate = run("check", "--no-cache", "--select", "ALL"), run("estimate")
    for p in (check, estimate):
        if p.returncode not in (0, 1):
            print(f"{program} {p.args[1]} {folder} ended with {p.returncode}: {p.stderr[-2000:]}")
    for f in json.loads(check.stdout or "[]"):
        out["finding", f"{f['filename']}:{f['cell'] or ''}:{f['location']['row']} {f['code']}", json.dumps(f, sort_keys=True)] += 1
    for m in json.loads(estimate.stdout or "{}").get("models") or []:
        out["model", f"{m['filename']}:{m['location']['row']} {m['name']}", json.dumps(m, sort_keys=True)] += 1
    return out


def main():
    old, new, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
    differences = same = 0
    for folder in folders:
        a, b = said(old, folder), said(new, folder)
        same += sum((a & b).values())
        for sign, only in (("-", a - b), ("+", b - a)):
            for kind, place, text in sorted(only):
                differences += 1
                what = json.loads(text)
                shown = what.get("message") or json.dumps({k: what.get(k) for k in ("parameters", "batch_size", "training", "inference", "verdict", "largest_batch", "unresolved")})
                print(f"{sign} {kind} {place}: {shown[:400]}")
    print(f"{same} findings and models are the same, {differences} are not")
    return differences > 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    sys.exit(main())
