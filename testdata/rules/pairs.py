"""Runs what any two fixes of one case make together under real TensorFlow, beside each alone.

    TFMEM_TEST_ALL=1 go test ./rules -run 'TestPairs$' -pairs FOLDER
    python testdata/rules/pairs.py FOLDER

FOLDER holds CASE.py, CASE.CODE-I.py after one fix each, and CASE.CODE-I.CODE-J.py after
both. Where the case runs to its end, so must it after each fix; where it does after two
fixes each alone, so must it after both. It ends with an error where a program does not,
and prints each; where all do it writes pairs.json next to itself. That names each case, with
a hash of its text: those whose fixes were run, and all others by the reason why not.
TestPairsJSON holds it against the cases that there are; its -update notes new ones as not run
yet. A case that names what is defined nowhere, or reads what is not here, proves nothing: its
fixes are not run. Nor does one prove anything that needs more time or memory than it gets.

No GPU is needed or used. A program runs in a process and a folder of its own, forked from
one that has imported TensorFlow, for at most 15 seconds of a processor, in 4 GiB and
without a network; two run at a time, and a text runs once: FOLDER/outcomes.jsonl holds
what it ended with, so that a run that was cut off goes on where it was. After Ctrl-C the
record names the cases that are left as not run yet.
"""

import collections
import datetime
import glob
import hashlib
import json
import os
import re
import resource
import runpy
import shutil
import signal
import sys
import tempfile

os.environ["CUDA_VISIBLE_DEVICES"] = "-1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"

SECONDS = 15  # of a processor; and ten times as many of a clock, for what waits
BYTES = 4 << 30
AT_ONCE = 2

# What a program ends with that is not given all it needs: names, files, a network; or time and memory.
LACKS = {"NameError", "ModuleNotFoundError", "ImportError", "FileNotFoundError", "NotFoundError", "SystemExit", "SyntaxError", "no network"}
TOO_LARGE = {"SIGALRM", "SIGXCPU", "SIGKILL", "SIGSEGV", "SIGABRT", "MemoryError", "ResourceExhaustedError"}


class NoNetwork(OSError):
    pass


def run(path, outcome):
    """Runs a program and writes what it ends with: nothing, or an error and its message."""
    os.setsid()  # what it starts ends with it
    signal.alarm(10 * SECONDS)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    quiet = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(quiet, stream)
    import socket

    def offline(*_, **__):
        raise NoNetwork("no network")

    socket.getaddrinfo = offline
    os.environ["HOME"] = os.getcwd()
    sys.argv = [path]
    said = ""
    try:
        runpy.run_path(path, run_name="__main__")
    except BaseException as e:  # SystemExit as well
        said = f"{type(e).__name__}: {e}"
        if "no network" in said:
            said = "no network"
    with open(outcome, "w") as f:
        f.write(said)
        f.flush()
    os._exit(0)


def run_all(paths, known):
    """What each program ends with, by its path. What is known of a text is read from a file, and added to it."""
    texts = collections.defaultdict(list)
    for path in paths:
        with open(path, "rb") as f:
            texts[hashlib.sha256(f.read()).hexdigest()].append(path)
    ended = {}
    if os.path.exists(known):
        with open(known) as f:
            ended = dict(map(json.loads, f))
    waiting, running = [text for text in texts if text not in ended], {}
    asked = []
    before = signal.signal(signal.SIGINT, lambda *_: asked.append(True))
    while waiting and not asked or running:
        if asked:
            waiting.clear()
        if waiting and len(running) < AT_ONCE:
            text, folder = waiting.pop(0), tempfile.mkdtemp()
            child = os.fork()
            if child == 0:
                os.mkdir(os.path.join(folder, "run"))
                os.chdir(os.path.join(folder, "run"))
                run(texts[text][0], os.path.join(folder, "outcome"))
            running[child] = text, folder
            continue
        child, status = os.wait()
        text, folder = running.pop(child)
        try:
            os.killpg(child, signal.SIGKILL)
        except ProcessLookupError:
            pass
        if os.WIFSIGNALED(status):
            ended[text] = signal.Signals(os.WTERMSIG(status)).name
        else:
            with open(os.path.join(folder, "outcome")) as f:
                ended[text] = f.read()
        shutil.rmtree(folder, ignore_errors=True)
        with open(known, "a") as f:
            f.write(json.dumps([text, ended[text]]) + "\n")
        print(f"\r{len(waiting)} to run ", end="", file=sys.stderr, flush=True)
    signal.signal(signal.SIGINT, before)
    return {path: ended[text] for text, same in texts.items() if text in ended for path in same}, sum(text in ended for text in texts)


def error(outcome):
    return outcome.split(":")[0]


def digest(path):
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest()[:16]


def main(folder):
    import keras  # before the fork; no device is made by that
    import tensorflow as tf

    programs = collections.defaultdict(lambda: collections.defaultdict(list))  # by case, by number of fixes
    for path in sorted(glob.glob(os.path.join(os.path.abspath(folder), "*.py"))):
        case, fixes = re.fullmatch(r"(.+?)((?:\.TFM\d+-\d+)*)\.py", os.path.basename(path)).groups()
        programs[case][fixes.count(".")].append((fixes, path))
    known = os.path.join(folder, "outcomes.jsonl")
    cases, runs = run_all([path for made in programs.values() if 1 in made for _, path in made[0]], known)
    paths = []
    for made in programs.values():
        if 1 in made and error(cases.get(made[0][0][1], "NameError")) not in LACKS | TOO_LARGE:
            paths += [path for number in (1, 2) for _, path in made[number]]
    outcomes, more = run_all(paths, known)
    done = {case: all(path in outcomes for number in (1, 2) for _, path in made[number]) for case, made in programs.items()}
    runs += more
    ran, worse = collections.Counter(), []
    for case, made in programs.items():
        alone = {}
        for fixes, path in made[1] + made[2]:
            if not done[case]:
                continue
            outcome = outcomes[path]
            parts = re.findall(r"\.TFM\d+-\d+", fixes)
            before = [cases[made[0][0][1]]] if len(parts) == 1 else [alone[part] for part in parts]
            alone[fixes] = outcome
            if outcome == "":
                ran[" and ".join(sorted(part[1:7] for part in parts))] += 1
            elif not any(before) and error(outcome) not in TOO_LARGE:
                worse.append(f"{case}{fixes}: {outcome}")
    named, lacking = {}, collections.defaultdict(dict)
    for case, made in programs.items():
        path = made[0][0][1]
        ended = error(cases[path]) if path in cases else ""
        if not made[1]:
            why = "it has no fix"
        elif ended in TOO_LARGE:
            why = "it needs more time or memory than it gets"
        elif ended in LACKS:
            why = "it ends with " + ended
        elif not done[case]:
            why = "it was not run yet: it is new, or has changed"
        else:
            why = ""
        (lacking[why] if why else named)[case.replace(".", "/", 1)] = digest(path)
    one, two = (sum(n for fixes, n in ran.items() if fixes.count(" and ") == number) for number in (0, 1))
    record = {
        "tensorflow": tf.__version__,
        "keras": keras.__version__,
        "date": datetime.date.today().isoformat(),
        "cases with fixes": len(cases),
        "of them with all that they need": sum(error(outcome) not in LACKS | TOO_LARGE for outcome in cases.values()),
        "of them to their end": sum(outcome == "" for outcome in cases.values()),
        "programs run": runs,
        "ran to their end after one fix": one,
        "ran to their end after two": two,
        "by rule": dict(sorted(ran.items())),
        "cases that were run": dict(sorted(named.items())),
        "cases that were not": {why: dict(sorted(lacking[why].items())) for why in sorted(lacking)},
    }
    print(json.dumps({key: value for key, value in record.items() if not key.startswith("cases that")}, indent=1))
    for line in worse:
        print(line)
    if not worse:
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "pairs.json"), "w") as f:
            json.dump(record, f, indent=1)
            f.write("\n")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
