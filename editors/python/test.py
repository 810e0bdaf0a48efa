#!/usr/bin/env python3
"""Installs tfmem into an environment of its own by pip, as its users do, and tries it:
the command, python -m tfmem, a notebook, and the magics in a kernel.

Usage: test.py [--bare] [--tensorflow]. With --bare the build sees neither the machine's Go
nor its C compiler, and takes both from PyPI. With --tensorflow the magics are tried with the
real TensorFlow, which takes 2 GB.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
HIDDEN = ("go", "gofmt", "gcc", "cc", "c99", "c89", "clang", "tcc", "zig", "musl-gcc", "ld", "as")

# Runs cells in a kernel, and prints what they show.
KERNEL = """
import json, sys, nbclient, nbformat
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in json.load(sys.stdin)])
nbclient.NotebookClient(notebook, allow_errors=True, kernel_name="python3", timeout=600).execute()
for cell in notebook.cells:
    print("##", cell.source.partition("\\n")[0])
    for o in cell.outputs:
        print(o.get("text", ""), o.get("ename", ""), o.get("evalue", ""), *o.get("data", {}).values())
"""

NOTEBOOK = [
    "%load_ext tfmem",
    "import tensorflow as tf",
    "model = tf.keras.Sequential([tf.keras.layers.Input((1000,)), tf.keras.layers.Dense(1000)])\nmodel.compile('adam', 'mse')",
    "%tfmem --gpu T4",
    "%%tfmem --gpu 1GiB --stop\nmodel.fit(x, y, batch_size=1 << 20)\nprint('ran')",
    "%%tfmem --gpu T4\nprint('ran')",
    "%tfmem gpu --gpu T4",
    "%tfmem --nonsense",
]

# What the text of the cells leaves open, and the kernel knows. TensorFlow is a stand-in.
LIVING = [
    "%load_ext tfmem",
    "import os, sys, types\nsys.modules['tensorflow'] = types.SimpleNamespace(keras=None)\nimport tensorflow as tf",
    "size, classes = int(os.environ['SIZE']), int(os.environ['CLASSES'])\n"
    "class Hostile:\n    def __getattr__(self, name):\n        print('asked', name)\n    __len__ = __iter__ = __getattr__\nhostile = Hostile()",
    "def train():\n    model = tf.keras.Sequential([tf.keras.Input((100,)), tf.keras.layers.Dense(classes)])\n"
    "    model.compile('adam', 'mse')\n    model.fit(tf.zeros((960, 100)), tf.zeros((960, classes)), batch_size=size)",
    "if tf.keras:\n    train()",
    "%tfmem --gpu T4",
    "%tfmem tf.keras.Sequential([tf.keras.Input((100,)), tf.keras.layers.Dense(classes)]).predict(tf.zeros((960, 100)), batch_size=size) --gpu T4",
    "%tfmem plan --gpu 1GiB",
    "from tfmem import kernel\nprint('TOLD', kernel.told([('size = 1', False), ('classes', False)]))",
    "%%tfmem --gpu T4\nsize = 96\nprint('ran')",
]

# Exceptions, of which one is for want of memory.
FAILED = [
    "%load_ext tfmem",
    "%tfmem explain",
    "import tensorflow as tf",
    "with tf.GradientTape(persistent=True) as tape:\n    y = x * x\nprint(tape.gradient(y, x))",
    "z = tape.gradient(y, x)",
    "raise RuntimeError('OOM when allocating tensor with shape[1024,64,62,62] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc')",
    "%tfmem explain",
    "1 / 0",
    "%tfmem explain",
]

# What TensorFlow's library writes to the file descriptor, and its exception. The GPU was set up by
# a cell that ended well, and another one failed before.
LOGGED = [
    "%load_ext tfmem",
    "import os\nimport tensorflow as tf",
    "os.write(2, b'I gpu_device.cc:1635] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 13000 MB memory:  -> device: 0, name: Tesla T4, pci bus id: 0000:00:04.0, compute capability: 7.5\\n')",
    "os.write(2, b'Allocator (GPU_0_bfc) ran out of memory trying to allocate 9.00GiB (rounded to 9663676416)requested by op first\\n')\n1 / 0",
    "os.write(2, b'Allocator (GPU_0_bfc) ran out of memory trying to allocate 1.00GiB (rounded to 1073741824)requested by op second\\nLimit: 13631488000\\nInUse: 13600000000\\n')\n"
    "raise RuntimeError('OOM when allocating tensor with shape[268435456] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc')",
    "1 + 1",
    "%tfmem explain",
]

# The same of the real TensorFlow, on a processor whose memory is limited.
REAL_LOGGED = ["%load_ext tfmem", "import tensorflow as tf", "y = [tf.ones((4096, 4096)) * i for i in range(8)]", "%tfmem explain"]

# As in Colab: no file is known, and Colab's own module has the cells. Two of them are yet to run.
COLAB = [
    "import google.colab\n%load_ext tfmem",
    "import tensorflow as tf",
    "%tfmem --gpu T4",
]
COLAB_MESSAGE = """
def blocking_request(request_type, request="", timeout_sec=5, parent=None):
    assert request_type == "get_ipynb"
    sources = ["import google.colab\\n%load_ext tfmem", "import tensorflow as tf", "%tfmem --gpu T4",
        ["%%time\\n", "photos = tf.keras.utils.image_dataset_from_directory('photos', image_size=(32, 32))\\n",
         "net = tf.keras.Sequential([tf.keras.Input((32, 32, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(len(photos.class_names))])"],
        "%%tfmem --stop\\nnet.compile('adam', 'sparse_categorical_crossentropy')\\nnet.fit(photos)"]
    return {"ipynb": {"cells": [{"cell_type": "markdown", "source": "# Title"}] + [{"cell_type": "code", "source": s} for s in sources]}}
"""

# With the real TensorFlow. What it has may be asked of it only when it has devices.
REAL = [
    "%load_ext tfmem",
    "%tfmem gpu --gpu T4",
    "import tensorflow as tf",
    "%tfmem gpu --gpu T4",
    "from tensorflow.python.eager import context\nprint('initialised:', context.context()._initialized)",
    "import numpy as np\nx, y = np.zeros((256, 1000), 'float32'), np.zeros((256, 10), 'float32')\n"
    "model = tf.keras.Sequential([tf.keras.Input((1000,)), tf.keras.layers.Dense(10)])\nmodel.compile('adam', 'mse')",
    "%%tfmem --gpu T4 --stop\nmodel.fit(x, y, batch_size=32, verbose=0)\nprint('parameters:', model.count_params())",
    "%tfmem --gpu T4",
    "%tfmem gpu --gpu T4",
]

# What TensorFlow says where there is a GPU, for machines that have none.
PRETENDED = """
import sys, types
GiB = 1 << 30
device = types.SimpleNamespace(name="/physical_device:GPU:0")
config = types.SimpleNamespace(
    list_physical_devices=lambda kind: [device],
    list_logical_devices=lambda kind: [types.SimpleNamespace(name="/device:GPU:0")],
    get_logical_device_configuration=lambda d: [types.SimpleNamespace(memory_limit=4096)],
    experimental=types.SimpleNamespace(get_memory_info=lambda name: {"current": GiB, "peak": 3 * GiB}, get_memory_growth=lambda d: True),
)
context = types.SimpleNamespace(context=lambda: types.SimpleNamespace(_initialized=True))
eager = types.ModuleType("tensorflow.python.eager")
eager.context = context
sys.modules.update({"tensorflow": types.SimpleNamespace(config=config), "tensorflow.python": types.ModuleType("tensorflow.python"), "tensorflow.python.eager": eager})
"""


# A model that describes itself as Keras 3 does.
LIVE = """
import json, pathlib, tfmem

class Model:
    def to_json(self):
        layers = [("InputLayer", dict(batch_shape=[None, 28, 28, 1])), ("Conv2D", dict(filters=32, kernel_size=3)), ("Flatten", {}), ("Dense", dict(units=10))]
        described = [{"module": "keras.layers", "class_name": name, "config": config, "registered_name": None} for name, config in layers]
        return json.dumps({"module": "keras", "class_name": "Sequential", "config": {"name": "digits", "layers": described}})

told = tfmem.estimate(Model(), batch_size=64, gpu="T4", optimizer="adam")
print(told)
print("batch", told.data["batch_size"], "<pre>" in told._repr_html_())
try:
    tfmem.estimate(object())
except ValueError as refused:
    print("Refused:", refused)
"""


def main():
    bare, tensorflow = ("--" + name in sys.argv[1:] for name in ("bare", "tensorflow"))
    with tempfile.TemporaryDirectory(prefix="tfmem-python-") as name:
        folder = pathlib.Path(name)
        bin = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        for needed in ([sys.executable, "-m", "venv", folder / "env"], [bin / "python", "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, "hatchling"]):
            if subprocess.run([str(c) for c in needed], capture_output=True).returncode:
                print(f"SKIPPED: {' '.join(str(c) for c in needed[1:4])} fails: this takes virtual environments and PyPI")
                return
        env = {**os.environ, "PATH": os.pathsep.join([str(bin), os.environ["PATH"]])}
        if bare:
            env["PATH"] = os.pathsep.join([str(bin), str(without_compilers(folder / "tools"))])
            env.pop("CC", None)
            if any(shutil.which(tool, path=env["PATH"]) for tool in HIDDEN):
                sys.exit("the compilers are not hidden")
        begun = time.monotonic()
        run([bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT], env=env)
        print(f"ok   pip install . in {time.monotonic() - begun:.0f} s{', with neither Go nor a C compiler' if bare else ''}")
        tfmem = bin / ("tfmem.exe" if os.name == "nt" else "tfmem")
        print(f"     tfmem has {tfmem.stat().st_size / 1e6:.0f} MB")
        if bare and sys.platform.startswith("linux"):
            static = subprocess.run(["ldd", tfmem], capture_output=True, text=True)
            expect("the program is static", static.stdout + static.stderr, "not a dynamic executable", "statically linked", any_of=True)

        work = folder / "project"
        work.mkdir()
        (work / "train.py").write_text("import tensorflow as tf\ntf.Session()\n")
        shutil.copy(ROOT / "editors/testdata/photos.ipynb", work)
        checked = run([tfmem, "check", "--exit-zero", "--output-format", "concise"], env=env, cwd=work)
        expect("tfmem check finds what it should in a folder and a notebook", checked, "train.py:2:1: TFM201", "photos.ipynb")
        expect("python -m tfmem is the same command", run([bin / "python", "-m", "tfmem", "--version"], env=env), run([tfmem, "--version"], env=env))
        expect("tfmem gpu tells where it asked", run([tfmem, "gpu"], env=env), "GPU")
        if sys.platform.startswith("linux"):
            driver(folder / "driver", env, tfmem)

        run([bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "ipykernel", "nbclient", "jupyter-lsp"], env=env)
        specs = "from jupyter_lsp import LanguageServerManager as M; m = M(); m.initialize(); print(m.language_servers['tfmem']['argv'])"
        expect("jupyter-lsp finds the server of its environment", run([bin / "python", "-c", specs], env=env), str(tfmem), "'server'")

        (folder / "stub" / "tensorflow").mkdir(parents=True)
        (folder / "stub" / "tensorflow" / "__init__.py").write_text("raise ImportError('there is no TensorFlow here')\n")
        (folder / "stub" / "google" / "colab").mkdir(parents=True)
        (folder / "stub" / "google" / "colab" / "__init__.py").write_text("")
        (folder / "stub" / "google" / "colab" / "_message.py").write_text(COLAB_MESSAGE)

        def kernel(cells, path=folder / "stub", **more):
            return run([bin / "python", "-c", KERNEL], env={**env, "SIZE": "48", "CLASSES": "7", "PYTHONPATH": str(path), **more}, cwd=work, input=json.dumps(cells))

        said = kernel(NOTEBOOK)
        expect("%tfmem tells of the model, and where memory growth is missing", said, "model: training at batch 32 needs about", "cell [3], line 1: TFM101")
        expect("%%tfmem --stop does not run what does not fit", said, "This cell was not run")
        if said.count("ran\n") != 1:
            sys.exit(f"FAILED: one of two cells should have run:\n{said}")
        expect("%tfmem gpu tells of the GPU, and imports no TensorFlow", said, "Tesla T4: 15.0 GiB", "TensorFlow is not imported here")
        expect("%tfmem says what it takes", said, "usage: %tfmem")

        said = kernel(["%load_ext tfmem", "x = 1\n%tfmem --gpu T4"], JPY_SESSION_NAME=str(work / "photos.ipynb"))
        expect("%tfmem tells of the notebook's file, where Jupyter names it", said, "model: training at batch 768 needs about", "a cell that has not run, line 2: TFM601")
        said = kernel(["%load_ext tfmem", "x = 1\n%tfmem plan --gpu T4"], JPY_SESSION_NAME=str(work / "photos.ipynb"))
        expect("%tfmem plan finds what makes it fit", said, "with a batch of 768 does not fit", "another effective batch", "Unchanged it fits")
        said = kernel(["%load_ext tfmem", "%%tfmem --gpu T4\nimport tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)"])
        expect("%%tfmem counts lines as they stand in its cell", said, "cell [2], line 3: TFM101")

        said = kernel(["%load_ext tfmem", "import tensorflow as tf\nimport data\nx = data.load()\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(3)])\nmodel.compile('adam', 'mse')\nmodel.fit(x, x)", "%tfmem"])
        expect("%tfmem tells what it does not price", said, "model: not priced: ", "1 training is not priced", "# tfmem: ")

        said = kernel(["%load_ext tfmem", NOTEBOOK[1] + "\nBATCH = 1 << 20\n" + NOTEBOOK[2], "%%tfmem --gpu 1GiB --stop\nmodel.fit(x, y, batch_size=BATCH)"])
        expect("%%tfmem --stop does so where the batch size stands in another cell", said, "This cell was not run")

        said = kernel(LIVING)
        expect("%tfmem takes from the kernel what the cells leave open", said.partition("## %%tfmem")[0], "model: training at batch 48 needs about", "size: 48, from the kernel.", "classes: 7, from the kernel.")
        expect("and what a call needs that is not run", said, "batch_size=size) needs about", "Training of model with a batch of 48 fits.")
        expect("and an editor gets it, but for what a cell binds that has not run", said, """"names": {"classes": {"kind": "number", "value": 7}}}""")
        expect("but not what a cell is about to bind otherwise", said.partition("## %%tfmem")[2], "ran\n")
        if "TFM004" in said or "asked" in said:
            sys.exit(f"FAILED: a name counts for what it was before, or the program's own code ran:\n{said}")

        said = kernel(FAILED)
        expect("%tfmem explain says why the last exception ran out of memory", said, "No exception has ended a cell yet.", "The step probably needs more memory than TensorFlow had (961 MiB asked for).", "a tensor of shape [1024 64 62 62] and type float", "cell [4], line 1: TFM401", "the exception has nothing of TensorFlow")
        if os.name != "nt":  # where ipykernel reads the file descriptor
            said = kernel(LOGGED)
            expect("and on which figures of the library's own log", said, "The step needs more memory than the GPU has", "could not allocate 1.00 GiB", "for second.", "Of 12.7 GiB that TensorFlow had, 12.7 GiB were in use.")
            if "first" in said.rpartition("%tfmem explain")[2]:
                sys.exit(f"FAILED: the log of another cell is explained:\n{said}")
        said = kernel(COLAB)
        expect("in Colab, %tfmem tells of cells that have not run, where Colab has the notebook", said, "net: training at batch 32 needs about", "a cell that has not run, line 2: TFM101")
        said = kernel(["%load_ext tfmem", PRETENDED, "%tfmem gpu --gpu T4"])
        expect("%tfmem gpu tells of TensorFlow's pool", said, "TensorFlow on /physical_device:GPU:0 is limited to 4.0 GiB", "TensorFlow on /device:GPU:0: 1.0 GiB in use, 3.0 GiB at most")

        live = LIVE.partition("told =")[0]
        said = kernel(["%load_ext tfmem", live + "\nmodel = Model()", "%tfmem model --batch-size 64 --gpu T4", "%tfmem none", "%tfmem live --batch-size"])
        expect("%tfmem NAME tells of a model that lives in the kernel", said, "model, a Sequential model of 216,650 parameters", "Prediction on batches of 64", "nothing is called none here", "unknown argument '--batch-size'")
        said = run([bin / "python", "-c", LIVE], env=env, cwd=work)
        expect("tfmem.estimate tells of a model that lives in a program", said, "model, a Sequential model of 216,650 parameters", "Training on batches of 64 with Adam", "batch 64", "Refused: tfmem: this model does not describe itself")

        if tensorflow:
            run([bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "tensorflow-cpu"], env=env)
            said = kernel(REAL, folder / "none")
            expect("with TensorFlow, %tfmem gpu initialises nothing", said, "TensorFlow is not imported here", "TensorFlow has not initialised its devices yet", "initialised: False")
            expect("and tells of it when it runs, beside the estimate", said, "TensorFlow runs here, and sees no GPU.", "Estimated: model: training at batch 32 needs about")
            expect("%%tfmem runs the cell", said, "parameters: 10010")
            if os.name != "nt":
                said = kernel(REAL_LOGGED, folder / "none", TF_CPU_ALLOCATOR_USE_BFC="1", TF_CPU_BFC_MEM_LIMIT_IN_MB="300", CUDA_VISIBLE_DEVICES="")
                expect("%tfmem explain reads TensorFlow's own log", said, "The machine's memory ran out, not the GPU's", "could not allocate 64.0 MiB, a tensor of shape [4096 4096]", "Of 300 MiB that TensorFlow's allocator may take there")

        bad_input(folder, bin, env, tfmem)
        if not bare:
            pre_commit(folder, bin, env)


def driver(folder, env, tfmem):
    """The tfmem-nvml that was installed asks the driver's library: a stand-in for it, and none."""
    folder.mkdir()
    library = folder / "libnvidia-ml.so.1"
    asked = {**env, "LD_LIBRARY_PATH": str(folder), "LD_BIND_NOW": "1"}  # tfmem drops the last
    library.write_text("not a library")
    expect("tfmem-nvml says that there is no driver", run([tfmem, "gpu"], env=asked), f"{library.name} was not found")
    cc = shutil.which("cc")
    if not cc:
        print("     there is no C compiler for a stand-in of the driver's library")
        return
    run([cc, "-shared", "-fPIC", "-o", library, ROOT / "cmd/tfmem-nvml/testdata/libnvidia-ml.c"])
    said = run([tfmem, "gpu", "--output-format", "json"], env=asked)
    expect("tfmem-nvml answers what the driver does", said, '"source": "nvml"', "535.104.05", "NVIDIA A100-SXM4-40GB MIG 1g.5gb", "Tesla T4")


def bad_input(folder, bin, env, tfmem):
    """What is said where a build or a program cannot do what was asked."""
    module = [bin / "python", "-m", "tfmem", "version"]
    other = folder / "other" / "tfmem"
    other.parent.mkdir()
    other.write_text("#!/bin/sh\necho another\n")
    other.chmod(0o755)
    shadowed = {**env, "PATH": os.pathsep.join([str(other.parent), env["PATH"]])}
    expect("python -m tfmem runs its own program, not a second one on the PATH", run(module, env=shadowed), run([tfmem, "version"], env=env))
    kept = tfmem.rename(folder / "kept")
    expect("nor does it where its own is gone", fails(module, env=shadowed), "there is no program at", "pip install --force-reinstall", *([f"{other} belongs to another installation"] if os.name != "nt" else []))
    tfmem.write_bytes(b"\0asm of no machine")
    tfmem.chmod(0o755)
    expect("a program of another architecture is told of", fails(module, env=env), f"{tfmem} does not run here (", "pip install --force-reinstall")
    kept.replace(tfmem)

    if os.name != "nt" and os.geteuid() == 0:
        # Another user may write neither into the environment nor into the project, and has
        # no home folder.
        folder.chmod(0o755)
        somebody = {"env": {**env, "HOME": "/nonexistent"}, "user": 65534, "group": 65534, "extra_groups": []}
        said = run([tfmem, "check", "--exit-zero", "--output-format", "concise"], cwd=folder / "project", **somebody)
        expect("a site-packages that cannot be written to is no obstacle", said, "train.py:2:1: TFM201")

    if os.name == "nt":
        return
    install = [bin / "python", "-m", "pip", "install", "--no-index", "--no-build-isolation", "--no-deps", "--force-reinstall", "--disable-pip-version-check", ROOT]
    run([bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "hatchling"], env=env)
    tools = without_compilers(folder / "no-tools")
    bare = {**env, "PATH": os.pathsep.join([str(bin), str(tools)])}
    bare.pop("CC", None)
    expect("a build without network and Go says what to do", fails(install, env=bare), "there is no Go here that can build it: install Go 1.26 or newer")
    expect("a platform that is not known is told of", fails(install, env={**env, "GOOS": "plan9", "GOARCH": "386"}), "tfmem is not built for GOOS=plan9 GOARCH=386: name one of linux/amd64")
    go = shutil.which("go", path=env["PATH"])
    if not go:
        return
    (tools / "go").symlink_to(go)
    expect("a build without network and C compiler says what to do", fails(install, env=bare), "There is no C compiler here: install gcc or clang")
    fetching = {**env, "GOPROXY": "off", "GOFLAGS": "-modcacherw", "GOMODCACHE": str(folder / "modules")}
    expect("a build without network and Go modules says what to do", fails(install, env=fetching), "The Go modules that tfmem needs could not be fetched")


def pre_commit(folder, bin, env):
    """The hooks in a fresh repository, as .pre-commit-hooks.yaml has them."""
    run([bin / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "pre-commit"], env=env)
    repository = folder / "fresh"
    repository.mkdir()
    env = {**env, "PRE_COMMIT_HOME": str(folder / "pre-commit"), "GIT_CONFIG_GLOBAL": os.devnull}
    run(["git", "init", "--quiet"], cwd=repository, env=env)
    (repository / "train.py").write_text("import tensorflow as tf\nmodel = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.fit(x, y)\n")
    run(["git", "add", "."], cwd=repository, env=env)
    config = repository / ".pre-commit-config.yaml"
    for hook, fails in ("tfmem", False), ("tfmem-strict", True):
        revision = run(["git", "rev-parse", "HEAD"], cwd=ROOT).strip()
        config.write_text(f"repos:\n- repo: {ROOT}\n  rev: {revision}\n  hooks:\n  - id: {hook}\n")
        times = []
        for _ in range(2):
            begun = time.monotonic()
            done = subprocess.run([str(bin / "pre-commit"), "run", "--all-files"], cwd=repository, env=env, capture_output=True, text=True)
            times.append(time.monotonic() - begun)
        if (done.returncode != 0) != fails:
            sys.exit(f"FAILED: pre-commit {hook} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        expect(f"pre-commit {hook} shows TFM101 in {times[0]:.0f} s at first, then {times[1]:.1f} s", done.stdout, "TFM101")


def without_compilers(folder):
    """A folder of links to the machine's programs, but for Go and C compilers."""
    folder.mkdir()
    for place in ("/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"):
        for program in pathlib.Path(place).glob("*"):
            plain = program.name.split("-")
            hidden = program.name in HIDDEN or any(part in ("gcc", "cc", "clang", "g++") for part in plain)
            if not hidden and not os.path.lexists(folder / program.name):
                (folder / program.name).symlink_to(program)
    return folder


def run(command, **how):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", **how)
    if done.returncode:
        sys.exit(f"FAILED ({done.returncode}): {' '.join(str(c) for c in command)[:200]}\n{done.stdout}")
    return done.stdout


def fails(command, **how):
    """What a command prints that must not succeed."""
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, encoding="utf-8", **how)
    if not done.returncode:
        sys.exit(f"FAILED: {' '.join(str(c) for c in command)[:200]} succeeds:\n{done.stdout}")
    return done.stdout


def expect(what, text, *parts, any_of=False):
    found = [part in text for part in parts]
    if not (any(found) if any_of else all(found)):
        sys.exit(f"FAILED: {what}: {parts} in\n{text}")
    print("ok  ", what)


if __name__ == "__main__":
    main()
