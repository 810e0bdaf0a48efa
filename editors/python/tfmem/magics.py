"""The magics of %load_ext tfmem, for notebooks without a language server: Colab, Kaggle,
classic Jupyter.

%tfmem           checks the cells run so far, and the others of the notebook's file
%%tfmem          checks a cell, and then runs it; with --stop not where it will not fit
%tfmem gpu       tells what TensorFlow has of the GPU here
%tfmem explain   says why the last exception ran out of memory
%tfmem plan      finds the cheapest changes by which the training fits the GPU
%tfmem NAME      tells what a model of this name, which lives here, needs of a GPU
%tfmem CALL      tells what a call such as model.fit(x, y) needs, and does not run it

They ask the program tfmem, which reads text alone, and what the names in it are that live in the
kernel: shapes, numbers, models, never contents. TensorFlow is never imported here, and no GPU
initialised: what it has is asked only of a program that has done both.
"""

import ast
import collections
import contextlib
import html
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import traceback

from IPython.core.error import UsageError
from IPython.core.magic import Magics as Base
from IPython.core.magic import line_cell_magic, magics_class

from tfmem import find, kernel, models, observe

USAGE = """usage: %tfmem [--gpu GPU] [--no-estimate]   check the cells run so far
       %tfmem gpu                            what TensorFlow has of the GPU here
       %tfmem explain                        why the last exception ran out of memory
       %tfmem plan [--gpu GPU]               the cheapest changes by which it fits the GPU
       %tfmem NAME [--batch-size N]          what the model of this name needs of a GPU
       %tfmem CALL [--gpu GPU]               what a call such as model.fit(x, y) needs; it is not run
       %%tfmem [--gpu GPU] [--stop]          check this cell, then run it"""

# The rules that say that a batch does not fit.
TOO_LARGE = ("TFM601",)


class Report:
    """What tfmem says of some cells: text in a terminal, and HTML in a notebook."""

    def __init__(self, text, markup):
        self.text, self.markup = text, markup

    def __repr__(self):
        return self.text

    def _repr_html_(self):
        return self.markup


class Log:
    """What goes to the kernel's standard error, which TensorFlow's own library writes to as well:
    ipykernel reads it from the file descriptor, and repeats it to this (OutStream.echo). A
    terminal keeps it to itself.

    Of a cell that ends well, only what TensorFlow says of its devices is kept."""

    MOST = 16 << 20  # characters of a cell; the allocator's table is long

    def __init__(self, shell, stream):
        self.devices, self.cell, self.failed = [], collections.deque(), ""
        self.size = 0
        self.next = getattr(stream, "echo", None)
        if hasattr(stream, "echo"):
            stream.echo = self
            shell.events.register("pre_run_cell", self.begin)
            shell.events.register("post_run_cell", self.end)

    def write(self, text):
        if self.next is not None:
            self.next.write(text)
        self.cell.append(text)
        self.size += len(text)
        while self.size > self.MOST:
            self.size -= len(self.cell.popleft())

    def flush(self):
        if self.next is not None:
            self.next.flush()

    def begin(self, info):
        # Here and not at the cell's end: what the library wrote may come late.
        text = "".join(self.cell)
        if self.ended_by_exception:
            self.failed = "".join(line + "\n" for line in [*self.devices, *filter(None, [text])])
        self.devices += [line for line in text.split("\n") if "compute capability" in line or "totalMemory" in line]
        self.cell.clear()
        self.size, self.ended_by_exception = 0, False

    def end(self, result):
        self.ended_by_exception = not result.success

    ended_by_exception = False


@magics_class
class Magics(Base):
    def __init__(self, shell):
        super().__init__(shell)
        self.log = Log(shell, sys.stderr)
        self.failed = set()  # the texts of cells that an exception ended
        shell.events.register("post_run_cell", self.ended)

    def ended(self, result):
        text = getattr(result.info, "raw_cell", None)
        if text and not result.success:
            self.failed.add(text.strip())

    @line_cell_magic
    def tfmem(self, line, cell=None):
        """Check the notebook for what wastes GPU memory. See %tfmem --help."""
        call, rest = call_of(line)
        options = parse(rest)
        options.live = self.live
        if options.help:
            print(USAGE)
            return None
        if call:
            return priced(call, self.cells(), options)
        if cell is None:
            if options.explain_asked:
                return explain(self.cells(), self.failure(), "the log" if self.log.failed else "the exception", options)
            if options.plan_asked:
                return planned(self.cells(), options)
            if options.model:
                return self.model(options)
            return (on_gpu if options.gpu_asked else report)(self.cells(), options)
        if options.model:
            raise UsageError(f"%%tfmem is for the code of its cell, not for {options.model}\n{USAGE}")
        cells = self.cells()
        own = sum(number is not None for number, _ in cells)  # the last that runs
        if not own or not cells[own - 1][1].rstrip().endswith(cell.rstrip()):  # the history has it not
            own += 1
            cells.insert(own - 1, (None, "%%tfmem\n" + cell))
        # A batch size may stand in another cell than the training that it is too large for.
        found = [f for f in check(cells, options)[0] if own in [f["cell"], *(r["cell"] for r in f["related"])]]
        if found:
            from IPython.display import display

            display(Report(*written(found, cells, [])))
        if options.stop and any(f["code"] in TOO_LARGE for f in found):
            print("This cell was not run: what it trains does not fit the GPU. %%tfmem without --stop runs it all the same.", file=sys.stderr)
            return None
        self.shell.run_cell(cell, store_history=False)
        return None

    def live(self, cells):
        """What lives here of the cells' names. The cell that runs has not run yet."""
        running = len(self.shell.history_manager.input_hist_raw) - 1
        return kernel.live(self.shell, [(text, number not in (None, running) and not text.strip().endswith(tuple(self.failed))) for number, text in cells])

    def model(self, options):
        """What a model that lives in this kernel needs."""
        if options.model not in self.shell.user_ns:
            raise UsageError(f"nothing is called {options.model} here\n{USAGE}")
        try:
            return models.estimate(self.shell.user_ns[options.model], batch_size=options.batch_size, gpu=options.gpu or None)
        except ValueError as err:
            raise UsageError(str(err)) from None

    def failure(self):
        """The last exception as Python prints it, after what its cell logged; or nothing."""
        error = getattr(sys, "last_value", None)
        if error is None:
            return ""
        return self.log.failed + "".join(traceback.format_exception(type(error), error, error.__traceback__))

    def cells(self):
        """The cells that have run, with their numbers, then those of the notebook's file that
        have not."""
        cells = [(number, text) for number, text in enumerate(self.shell.history_manager.input_hist_raw) if has_code(text)]
        # A cell that was run again counts as it stood last.
        last = {text: i for i, (_, text) in enumerate(cells)}
        cells = [c for i, c in enumerate(cells) if last[c[1]] == i]
        known = {text.strip() for _, text in cells}
        return cells + [(None, text) for text in notebook_file(self.shell) if has_code(text) and text.strip() not in known]


def has_code(text):
    """Whether a cell has more than the magics of this module."""
    return any(line.strip() and not line.startswith(("%tfmem", "%load_ext tfmem")) for line in text.split("\n"))


def notebook_file(shell):
    """The code cells of the notebook that runs, where its file can be found."""
    if "google.colab" in sys.modules:
        try:
            from google.colab import _message

            answer = _message.blocking_request("get_ipynb", timeout_sec=5)
            return code_of(answer["ipynb"]) if answer else []
        except Exception:  # whatever Colab changes, the cells that ran are known
            return []
    path = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME", "")
    if not path.endswith(".ipynb") or not os.path.isfile(path):
        return []
    try:
        with open(path, encoding="utf-8") as f:
            return code_of(json.load(f))
    except (OSError, ValueError):
        return []


def code_of(notebook):
    return ["".join(c.get("source", "")) for c in notebook.get("cells", []) if c.get("cell_type") == "code"]


class Options:
    help = gpu_asked = explain_asked = plan_asked = stop = False
    estimate = True
    live = staticmethod(lambda cells: {})
    gpu = model = batch_size = None


def call_of(line):
    """The call that begins a line, and what follows it; the line alone if none does."""
    for end in (at + 1 for at in range(len(line) - 1, -1, -1) if line[at] == ")"):
        try:
            if isinstance(ast.parse(line[:end].strip(), mode="eval").body, ast.Call):
                return line[:end].strip(), line[end:]
        except (SyntaxError, ValueError):
            pass
    return "", line


def parse(line):
    try:
        words = shlex.split(line)
    except ValueError as err:
        raise UsageError(f"{err}\n{USAGE}") from None
    options = Options()
    while words:
        word = words.pop(0)
        if word == "--gpu" and words:
            options.gpu = words.pop(0)
        elif word.startswith("--gpu="):
            options.gpu = word[len("--gpu=") :]
        elif word == "--batch-size" and words:
            options.batch_size = words.pop(0)
        elif word.startswith("--batch-size="):
            options.batch_size = word[len("--batch-size=") :]
        elif word == "--stop":
            options.stop = True
        elif word == "--no-estimate":
            options.estimate = False
        elif word in ("-h", "--help"):
            options.help = True
        elif word == "gpu":
            options.gpu_asked = True
        elif word == "explain":
            options.explain_asked = True
        elif word == "plan":
            options.plan_asked = True
        elif word.isidentifier() and not options.model:
            options.model = word
        else:
            raise UsageError(f"unknown argument {word!r}\n{USAGE}")
    if options.batch_size and not options.model:
        raise UsageError(f"--batch-size is for a model, by its name\n{USAGE}")
    return options


def run(arguments, text=None):
    """What the program tfmem prints."""
    return both(arguments, text)[0]


def both(arguments, text=None):
    """What the program tfmem prints, and what it says beside it."""
    try:
        done = subprocess.run([find(), *arguments], input=text, capture_output=True, text=True, encoding="utf-8", errors="replace", timeout=120)
    except OSError as err:
        raise UsageError(f"tfmem: {err}") from None
    except subprocess.TimeoutExpired:
        raise UsageError("tfmem did not answer within two minutes") from None
    if done.returncode == 2:
        raise UsageError(done.stderr.strip() or "tfmem failed and said nothing")
    return done.stdout, done.stderr


def as_notebook(cells):
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {"language_info": {"name": "python"}}, "cells": [
        {"cell_type": "code", "id": str(i), "metadata": {}, "source": text, "outputs": [], "execution_count": number} for i, (number, text) in enumerate(cells)]})


def check(cells, options, flags=()):
    """The findings in the cells, as tfmem check tells them, and lines about what it did not compare."""
    found, notes = ask("check", cells, options, flags)
    return json.loads(found or "[]"), notes.splitlines()


def ask(command, cells, options, flags=()):
    """What a command says of the cells, as a notebook in the folder that they run in."""
    name = os.path.join(os.getcwd(), "notebook.ipynb")
    with observed(name, options.live(cells)) as told:
        return both([command, *weighed(options), "--ram", "auto", *flags, *told, "--exit-zero", "--output-format", "json", "--stdin-filename", name, "-"], as_notebook(cells))


@contextlib.contextmanager
def observed(notebook, names):
    """The flags by which tfmem takes what names are here."""
    handle, path = tempfile.mkstemp(prefix="tfmem-", suffix=".json")
    try:
        flags = ["--observed", path]
        with open(handle, "w", encoding="utf-8") as file:
            try:
                json.dump(observe.dump(observe.Files(os.getcwd()), more=[(notebook, names)]), file)
            except Exception:  # the text alone counts then
                flags = []
        yield flags
    finally:
        os.unlink(path)


def report(cells, options):
    if not cells:
        return Report("No cell has been run yet.", "<p>No cell has been run yet.</p>")
    findings, notes = check(cells, options)
    return Report(*written(findings, cells, estimate(cells, options) if options.estimate else [], notes))


def estimate(cells, options):
    """The models of the cells, as tfmem estimate tells of them."""
    out, _ = ask("estimate", cells, options)
    return json.loads(out)["models"] if out.strip() else []


def weighed(options):
    return ["--gpu", options.gpu] if options.gpu else []


def place(finding, cells):
    number = cells[finding["cell"] - 1][0]
    cell = f"cell [{number}]" if number is not None else "a cell that has not run"
    return f"{cell}, line {finding['location']['row']}"


def changes(fix, cells):
    """What a fix adds and removes, line by line."""
    import difflib

    out = []
    for cell in sorted({e["cell"] for e in fix["edits"]}):
        before = cells[cell - 1][1]
        lines = before.split("\n")
        starts = [0]
        for l in lines:
            starts.append(starts[-1] + len(l) + 1)
        after = before
        for e in sorted((e for e in fix["edits"] if e["cell"] == cell), key=lambda e: (e["location"]["row"], e["location"]["column"]), reverse=True):
            start = starts[e["location"]["row"] - 1] + e["location"]["column"] - 1
            end = starts[e["end_location"]["row"] - 1] + e["end_location"]["column"] - 1
            after = after[:start] + e["content"] + after[end:]
        out += list(difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=1))[2:]
    return out


def size(n):
    for unit in ("B", "KiB", "MiB"):
        if n < 1024:
            return f"{n:.1f} {unit}" if unit != "B" else f"{n} B"
        n /= 1024
    return f"{n:.1f} GiB"


def peak(what, batch, needs):
    """What something needs of the GPU at its peak."""
    middle, low, high = (needs[f"pool_peak{end}_bytes"] for end in ("", "_low", "_high"))
    at = f" at batch {batch}" if batch else ""
    if high is None:
        return f"{what}{at} needs {size(low)} of the GPU or more: the size of some data is not known"
    return f"{what}{at} needs about {size(middle)} of the GPU ({size(low)} to {size(high)})"


def summary(m):
    """A line about a model, and its verdict."""
    words = f"{m['name']}: "
    if m.get("training"):
        return words + peak("training", m.get("batch_size"), m["training"]), m.get("verdict", "")
    if not m.get("resolved", True):
        return words + "not priced: " + "; ".join(u["message"] for u in m.get("unresolved", [])[:1]), ""
    if m["parameters"] is None:
        return words + "how many parameters it has depends on data", m.get("verdict", "")
    return words + f"{m['parameters']:,} parameters", m.get("verdict", "")


def linked(finding):
    """The code of a finding, with a link to the rule's page where that is published."""
    code = html.escape(finding["code"])
    return f'<a href="{html.escape(finding["url"], quote=True)}" target="_blank">{code}</a>' if finding.get("url") else code


def written(findings, cells, models, notes=()):
    """Findings, an estimate and notes as text and as HTML."""
    text, markup = [], ['<div class="tfmem" style="font-family:sans-serif;max-width:60em">']
    colours = {"error": "#d1242f", "warning": "#9a6700", "information": "#0969da", "hint": "#6e7781"}
    for m in models:
        line, verdict = summary(m)
        verdict = verdict and f" ({verdict})"
        text.append(line + verdict)
        markup.append(f"<p><b>{html.escape(line)}</b>{html.escape(verdict)}</p>")
        told = [a for a in m.get("assumptions") or [] if "from the kernel" in a]
        text += ["    " + a for a in told]
        markup += [f"<p>{html.escape(a)}</p>" for a in told]
    for f in findings:
        where = place(f, cells)
        text.append(f"{where}: {f['code']} {f['severity']}: {f['message']}")
        markup.append(
            f'<details open style="border-left:4px solid {colours.get(f["severity"], "#6e7781")};padding-left:.7em;margin:.6em 0"><summary><b>'
            f'{linked(f)}</b> {html.escape(where)}: {html.escape(f["message"])}</summary>'
        )
        for fix in f.get("fixes") or []:
            diff = changes(fix, cells)
            note = "" if fix["applicability"] == "safe" else " (may change what is computed)"
            text.append(f"    fix{note}: {fix['message']}")
            text += ["    " + l for l in diff]
            markup.append(f"<p>{html.escape(fix['message'])}{note}</p><pre>{html.escape(chr(10).join(diff))}</pre>")
        markup.append("</details>")
    if not findings:
        notes = [f"tfmem finds nothing in {len(cells)} cell{'s' * (len(cells) != 1)}.", *notes]
    for line in notes:
        text.append(line)
        markup.append(f"<p>{html.escape(line)}</p>")
    markup.append("</div>")
    return "\n".join(text), "\n".join(markup)


def explain(cells, failure, name, options):
    """Why the last exception ran out of memory, and what in the cells may be the cause."""
    if not failure:
        return Report("No exception has ended a cell yet.", "<p>No exception has ended a cell yet.</p>")
    text = run(["explain", "--color", "never", "--source", "none", "-"], failure).replace("standard input", name)
    explained = json.loads(run(["explain", "--output-format", "json", "--source", "none", "-"], failure))["explanations"]
    rules = ",".join(dict.fromkeys(code for e in explained for code in e["rules"]))
    findings = check(cells, options, ["--select", rules])[0] if rules else []
    markup = "<pre>" + html.escape(text) + "</pre>"
    if findings:
        causes, more = written(findings, cells, [])
        text, markup = text + "\n" + causes, markup + more
    return Report(text, markup)


def planned(cells, options):
    """The cheapest changes by which what the cells train fits the GPU."""
    if not cells:
        return Report("No cell has been run yet.", "<p>No cell has been run yet.</p>")
    name = os.path.join(os.getcwd(), "notebook.ipynb")
    with observed(name, options.live(cells)) as told:
        flags = [*weighed(options), *told, "--stdin-filename", name, "-"]
        text = run(["plan", "--color", "never", *flags], as_notebook(cells))
        found = json.loads(run(["plan", "--output-format", "json", *flags], as_notebook(cells)))
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in (
            number, " + ".join(c["title"] for c in plan["changes"]), size(plan["after"]["pool_peak_bytes"]),
            plan["after"]["batch_size"] or "", "; ".join(dict.fromkeys(c["costs"] for c in plan["changes"])))) + "</tr>"
        for number, plan in enumerate(found["plans"], 1))
    table = f"<table><tr><th></th><th>change</th><th>at the peak</th><th>batch</th><th>costs</th></tr>{rows}</table>" if rows else ""
    # A notebook's cells are changed by the person, not by --apply.
    text = text.replace("--diff N shows the edits of plan N, --apply N makes them.\n\n", "")
    return Report(text.strip(), f"<p>{html.escape(found['before']['summary'])}</p>{table}<details><summary>all of it</summary><pre>{html.escape(text)}</pre></details>")


def priced(call, cells, options):
    """What a call needs of a GPU, were it to run after the cells."""
    cells = [*cells, (None, call)]
    for model in estimate(cells, options):
        for phase in model.get("phases") or []:
            needs = phase["cell"] == len(cells) and (phase["training"] or phase["inference"])
            if needs:
                heaviest = model["training"] or model["inference"]
                line, verdict = peak(call, phase["batch_size"], needs), model["verdict"]
                if verdict != "fits" and needs["pool_peak_bytes"] != heaviest["pool_peak_bytes"]:
                    verdict = ""  # it is another call's
                told = [line + (verdict and f" ({verdict})")] + [a for a in model["assumptions"] if "from the kernel" in a]
                return Report("\n".join(told), "".join(f"<p>{html.escape(t)}</p>" for t in told))
    findings, notes = check(cells, options)
    return Report(*written([f for f in findings if f["cell"] == len(cells)], cells, [], [f"tfmem does not price {call}.", *notes]))


def on_gpu(cells, options):
    """The GPUs of the machine, what TensorFlow has of them, and what the models were to need."""
    answer = json.loads(run(["gpu", "--output-format", "json", *weighed(options)]))
    rows = []
    for d in answer.get("devices") or []:
        free = f", {size(d['free_bytes'])} free" if d.get("free_bytes") is not None else ""
        rows.append(f"{d['name']}: {size(d['total_bytes'])}{free}")
        for p in d.get("processes") or []:
            used = p.get("used_bytes")
            rows.append(f"  process {p['pid']}: {size(used) if used is not None else 'unknown'}")
    if not rows:
        rows.append("No GPU was found" + (f": {answer['why']}" if answer.get("why") else "."))
    rows += live()
    if options.estimate and cells:
        rows += ["Estimated: " + summary(m)[0] for m in estimate(cells, options)]
    return Report("\n".join(rows), "<pre>" + html.escape("\n".join(rows)) + "</pre>")


def live():
    """What TensorFlow has taken in this process, where it has initialised its devices."""
    tf = sys.modules.get("tensorflow")
    if tf is None:
        return ["TensorFlow is not imported here."]
    try:
        from tensorflow.python.eager import context

        if not context.context()._initialized:  # asking for memory would initialise the devices
            return ["TensorFlow has not initialised its devices yet: it has taken no GPU memory."]
        rows = [limit(tf, device) for device in tf.config.list_physical_devices("GPU")]
        for device in tf.config.list_logical_devices("GPU"):
            used = tf.config.experimental.get_memory_info(device.name)
            rows.append(f"TensorFlow on {device.name}: {size(used['current'])} in use, {size(used['peak'])} at most")
        return rows or ["TensorFlow runs here, and sees no GPU."]
    except Exception as err:  # a TensorFlow that has it elsewhere
        return [f"What TensorFlow has taken is not known: {err}"]


def limit(tf, device):
    """How much of a GPU TensorFlow may take: its pool's limit."""
    limits = [c.memory_limit for c in tf.config.get_logical_device_configuration(device) or [] if c.memory_limit]
    if limits:
        return f"TensorFlow on {device.name} is limited to {', '.join(size(n << 20) for n in limits)}"
    if tf.config.experimental.get_memory_growth(device):
        return f"TensorFlow on {device.name} takes memory as it needs it: memory growth is set"
    return f"TensorFlow on {device.name} took nearly all that was free at its start: memory growth is not set"
