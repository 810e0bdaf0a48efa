"""Holds tfmem's safe fixes against a tree of real code.

    python fixes.py FOLDER [--tfmem PATH] [--keep FOLDER]

The tree is copied, and never changed. Of every file that "tfmem check --fix" changes:

parses      what Python's own ast could parse before, it can parse after (of a notebook,
            each cell that it could)
gone        no safe fix is left, and no finding is there that was not there before
settled     a second "--fix" changes nothing
touched     the file is what the edits in "--output-format json" make of it, applied here
            by rows and columns, pass after pass: nothing else was touched

Prints a line for each violation and then the counts; exits with 1 if there is any.
"""

import argparse
import ast
import collections
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import warnings

PASSES = 10
SUFFIXES = {".py", ".ipynb"}


def copy(source, target):
    for path in source.rglob("*"):
        if path.suffix in SUFFIXES and path.is_file() and ".git" not in path.parts:
            to = target / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, to)


def tfmem(binary, folder, *arguments, files=(".",)):
    """The findings by file, as "check" reports them."""
    done = subprocess.run(
        [binary, "check", "--isolated", "--select", "ALL", "--ignore-noqa", "--gpu", "none", "--exit-zero", "--output-format", "json", *arguments, *map(str, files)],
        cwd=folder, capture_output=True, text=True,
    )
    if "internal error" in done.stderr or done.returncode not in (0, 1):
        sys.exit(f"tfmem ended with {done.returncode}:\n{done.stderr[-4000:]}")
    found = collections.defaultdict(list)
    for finding in json.loads(done.stdout or "[]"):
        found[str(pathlib.Path(finding["filename"]))].append(finding)
    return found


def read(path):
    return path.read_bytes().decode("utf-8", "surrogateescape")


def lines_of(text):
    """Lines as Python and editors have them: by \\n, \\r\\n and \\r alone."""
    lines, start, i = [], 0, 0
    while i < len(text):
        if text[i] == "\r" and text[i + 1 : i + 2] == "\n":
            i += 1
        if text[i] in "\r\n":
            lines.append(start)
            start = i + 1
        i += 1
    return lines + [start]


def offset(lines, text, place):
    at = lines[place["row"] - 1] + place["column"] - 1
    # A byte order mark is no character of the first line.
    return at + (1 if place["row"] == 1 and text.startswith("\ufeff") else 0)


def apply(text, edits):
    lines = lines_of(text)
    spans = sorted((offset(lines, text, e["location"]), offset(lines, text, e["end_location"]), i, e["content"]) for i, e in enumerate(edits))
    out, at = [], 0
    for start, end, _, content in spans:
        out += [text[at:start], content]
        at = end
    return "".join(out) + text[at:]


class File:
    """A script, or a notebook, as texts that edits go to: by cell, None for a script."""

    def __init__(self, path):
        self.notebook = path.suffix == ".ipynb"
        self.data = json.loads(read(path)) if self.notebook else None
        self.texts = {None: read(path)}
        if self.notebook:
            source = [c.get("source", c.get("input", "")) for c in self.cells()]
            self.texts = {i + 1: s if isinstance(s, str) else "".join(s) for i, s in enumerate(source)}

    def cells(self):
        return self.data.get("cells") or [c for s in self.data.get("worksheets", []) for c in s["cells"]]

    def write(self, path):
        """The texts as they are now, in no particular layout."""
        if self.notebook:
            for i, c in enumerate(self.cells()):
                c["source" if "source" in c else "input"] = self.texts[i + 1]
            path.write_text(json.dumps(self.data))
        else:
            path.write_bytes(self.texts[None].encode("utf-8", "surrogateescape"))

    def outside(self):
        """What no fix may change: all of a notebook but the text of its cells."""
        if not self.notebook:
            return None
        data = json.loads(json.dumps(self.data))
        for c in data.get("cells") or [c for s in data.get("worksheets", []) for c in s["cells"]]:
            c.pop("source", None)
            c.pop("input", None)
        return data

    def parses(self):
        """The texts that Python's ast can parse."""
        good = set()
        for key, text in self.texts.items():
            try:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    ast.parse(text.encode("utf-8", "surrogateescape") if key is None else text)
                good.add(key)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                pass
        return good

    def mend(self, findings):
        """Makes the first safe fix of each finding, but for those that touch another's. Fixes that add
        the same import share it."""
        taken, todo = collections.defaultdict(list), collections.defaultdict(list)
        made = 0
        for finding in findings:
            fix = next((f for f in finding["fixes"] if f["applicability"] == "safe"), None)
            if fix is None:
                continue
            spans = []
            for e in fix["edits"]:
                if e in todo[e["cell"]] and e["content"].strip().startswith(("import ", "from ")):
                    continue
                text = self.texts[e["cell"]]
                lines = lines_of(text)
                spans.append((e["cell"], offset(lines, text, e["location"]), offset(lines, text, e["end_location"])))
            if any(c == cell and start <= e and s <= end for cell, start, end in spans for c, s, e in taken["all"]):
                continue
            taken["all"] += spans
            made += 1
            for e in fix["edits"]:
                if e not in todo[e["cell"]]:
                    todo[e["cell"]].append(e)
        for cell, edits in todo.items():
            self.texts[cell] = apply(self.texts[cell], edits)
        return made


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--tfmem", default="tfmem")
    parser.add_argument("--keep", type=pathlib.Path, help="where the copies go, and stay")
    arguments = parser.parse_args()
    work = arguments.keep or pathlib.Path(tempfile.mkdtemp())
    binary = shutil.which(arguments.tfmem) or arguments.tfmem
    binary = str(pathlib.Path(binary).resolve())
    before, after = work / "before", work / "after"
    copy(arguments.folder, before)
    copy(arguments.folder, after)

    first = tfmem(binary, before)
    tfmem(binary, after, "--fix")
    second = tfmem(binary, after)
    once = {p: p.read_bytes() for p in after.rglob("*") if p.is_file()}
    tfmem(binary, after, "--fix")

    violations, counts = [], collections.Counter()
    counts["files"] = len(once)
    counts["findings"] = sum(map(len, first.values()))
    fixed = collections.Counter()
    for path in sorted(once):
        name = str(path.relative_to(after))
        if path.read_bytes() != once[path]:
            violations.append(f"settled: {name}: a second --fix changes it")
        left = collections.Counter(f["code"] for f in second[name])
        was = collections.Counter(f["code"] for f in first[name])
        # A call whose arguments are right may raise because it is late.
        late = was["TFM105"] - left["TFM105"]
        for code in left:
            if left[code] > was[code] + (late if code == "TFM102" else 0) and code != "TFM001":
                violations.append(f"gone: {name}: {code} is found {left[code]} times, and was {was[code]} times")
        for f in second[name]:
            if any(x["applicability"] == "safe" for x in f["fixes"]):
                violations.append(f"gone: {name}: {f['code']} still has a safe fix")
        if read(before / name) == once[path].decode("utf-8", "surrogateescape"):
            continue
        counts["changed"] += 1
        for code in was:
            fixed[code] += was[code] - left[code]
        old, new = File(before / name), File(path)
        if old.outside() != new.outside():
            violations.append(f"touched: {name}: more than the text of cells has changed")
        for cell in sorted(old.parses() - new.parses(), key=str):
            violations.append(f"parses: {name}{f', cell {cell}' if cell else ''}: it did before")
        # Fixes are made in a tree that holds the modules that the file imports.
        findings, passes = first[name], 0
        alone = before / name
        original = alone.read_bytes()
        while passes < PASSES and old.mend(findings):
            passes += 1
            counts["fixes applied here"] += 1
            old.write(alone)
            findings = tfmem(binary, before, files=[name])[name]
        alone.write_bytes(original)
        if old.texts != new.texts:
            violations.append(f"touched: {name}: the edits as they are reported make another text")
    for v in violations:
        print(v)
    print(json.dumps({**counts, "fixed": dict(sorted(fixed.items())), "violations": len(violations)}))
    if not arguments.keep:
        shutil.rmtree(work)
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
