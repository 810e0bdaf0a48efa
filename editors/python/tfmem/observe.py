"""Describes what lives in a running program: numbers, names that choose something, shapes, types
and lengths, and of models their configuration.

`tfmem probe` and the magics share it. It reads no contents, runs none of the program's code, and
imports neither TensorFlow nor Keras: it asks only those that the program has imported. What it
cannot describe it leaves out, and no exception leaves it. The formats that it writes are read by
analyzer/observed.
"""

import contextlib
import json
import linecache
import math
import os
import sys
import sysconfig

DEPTH = 3  # how deep containers and objects are followed
ITEMS = 32  # of a sequence
KEYS = 64  # of a mapping, an object or a table
TEXT = 64  # characters
NAMES = 2000  # of a frame or a module
VALUES = 20000  # of a dump
SIZE = 8 << 20  # bytes of a dump
SOURCES = 8 << 20  # characters of the program's files, where texts are looked for

KERAS = ("keras", "tf_keras", "tensorflow")
# Things of these libraries that have a shape and a dtype are arrays.
ARRAYS = ("numpy", "tensorflow", "keras", "tf_keras", "scipy", "pandas", "h5py", "zarr", "torch", "jax", "jaxlib", "dask", "cupy")
# Of these libraries' objects the attributes are told that they have set themselves.
SETS_ATTRIBUTES = ("argparse", "optparse", "types", "sklearn", "keras_preprocessing")
# And of these, properties.
PROPERTIES = {
    ("gym", "Space"): ("shape", "n", "nvec", "dtype"),
    ("gymnasium", "Space"): ("shape", "n", "nvec", "dtype"),
    ("gym", "Env"): ("observation_space", "action_space"),
    ("gymnasium", "Env"): ("observation_space", "action_space"),
    ("transformers", "PreTrainedTokenizerBase"): ("vocab_size", "model_max_length", "pad_token_id"),
    ("tensorflow_datasets", "DatasetInfo"): ("features", "splits"),
    ("tensorflow_datasets", "FeatureConnector"): ("shape", "num_classes"),
    ("tensorflow_datasets", "SplitInfo"): ("num_examples",),
}
DTYPES = ("float16", "float32", "float64", "bfloat16", "mixed_float16", "mixed_bfloat16", "int8", "int16", "int32", "int64", "uint8", "bool", "string")


class Refused(BaseException):
    """The program's own code would have run. Not an Exception, so that no library hides it."""


class Files:
    """Tells the program's own files from those of Python and of installed packages."""

    def __init__(self, *roots):
        self.roots = [os.path.join(os.path.realpath(r), "") for r in roots if r]
        paths = sysconfig.get_paths()
        self.installed = [os.path.join(os.path.realpath(paths[p]), "") for p in ("stdlib", "platstdlib", "purelib", "platlib") if paths.get(p)]
        # What describes, and what called it.
        self.ours = os.path.join(os.path.realpath(os.path.dirname(os.path.abspath(__file__))), "")
        self.known = {}

    def kind(self, name):
        """What a code's file is: "own", "library", or "" for neither, such as a generated file."""
        if name not in self.known:
            self.known[name] = self._kind(name)
        return self.known[name]

    def _kind(self, name):
        if not name or name.startswith("<frozen "):
            return "library" if name else ""
        if name.startswith("<"):
            return ""
        path = os.path.realpath(name)
        if path.startswith(self.ours) or any(path.startswith(d) for d in self.installed) or any(f"{os.sep}{d}{os.sep}" in path for d in ("site-packages", "dist-packages")):
            return "library"
        return "own" if any(path.startswith(r) for r in self.roots) else ""

    def of_class(self, cls):
        return self.of_module(getattr(cls, "__module__", None))

    def of_module(self, name):
        if name == "__main__":
            return "own"
        if name == "builtins" or name in sys.builtin_module_names:
            return "library"
        return self.kind(getattr(sys.modules.get(name), "__file__", None) or "")

    def of_code(self, frame):
        """Of the code that a frame runs. A generated text counts as the module that made it."""
        name = frame.f_code.co_filename
        if not name.startswith("<") or name.startswith("<frozen "):
            return self.kind(name)
        module = frame.f_globals.get("__name__")
        if isinstance(module, str) and module.startswith("namedtuple_"):
            return "library"
        return self.of_module(module)


class Describer:
    """Describes values for one dump.

    files tells whose code is whose; sources are texts of the program, in which a text must stand to
    be told.
    """

    def __init__(self, files, sources=()):
        self.files = files
        self.sources = "\n".join(sources)[:SOURCES]
        self.models = {}
        self.words = None
        self.left = VALUES

    def names(self, names):
        """The values of names, those that can be described."""
        out = {}
        for name in list(names):
            if isinstance(name, str) and not (name.startswith("__") and name.endswith("__")) and name.isidentifier():
                described = self.value(names[name])
                if described is not None:
                    out[name] = described
                    if len(out) == NAMES:
                        break
        return out

    def value(self, v, depth=DEPTH):
        """What a value is, or None."""
        self.left -= 1
        if self.left < 0:
            return None
        try:
            return self._value(v, depth)
        except (Exception, Refused):
            return None

    def _value(self, v, depth):
        cls = type(v)
        if v is None:
            return {"kind": "none"}
        if cls in (bool, int, float):
            return number(v)
        if cls is str:
            return {"kind": "text", "value": v} if self.told(v) else None
        if issubclass(cls, (type, type(os), type(number), type(len))):
            return None
        lineage = self.lineage(cls)
        roots = {root for root, _ in lineage}
        if ("numpy", "generic") in lineage:
            return number(v.item()) if v.dtype.kind in "biuf" else None
        if issubclass(cls, tuple) and "_fields" in vars(cls):
            fields = {n: tuple.__getitem__(v, i) for i, n in enumerate(vars(cls)["_fields"])}
            return self.object(cls, fields, depth)
        for base in (list, tuple, range, set, frozenset):
            if issubclass(cls, base):
                return self.sequence(base, v, depth)
        if issubclass(cls, dict):
            return self.mapping(dict(dict.items(v)), depth)
        if ("pandas", "DataFrame") in lineage:
            return self.guarded(lambda: table(v))
        if ("tensorflow", "DatasetV2") in lineage or ("tensorflow", "DistributedDatasetInterface") in lineage:
            return self.guarded(lambda: {"kind": "dataset", "spec": of_batch(spec(v.element_spec), batch_size(v)), "length": cardinality(v)})
        if roots & set(KERAS) and ("keras", "Model") in {("keras", n) for r, n in lineage if r in KERAS}:
            if id(v) not in self.models:
                self.models[id(v)] = self.model(v)
            return self.models[id(v)]
        if roots & set(ARRAYS):
            described = self.guarded(lambda: array(v, next(r for r, _ in lineage if r in ARRAYS)))
            if described is not None:
                return described
        return self._object(v, cls, lineage, depth)

    def lineage(self, cls):
        """The library and the name of each class that an object is of."""
        return [((c.__module__ or "").partition(".")[0], c.__name__) for c in cls.__mro__ if isinstance(c.__module__, str)]

    def told(self, text):
        """Whether a text may be told: it stands in the program, or chooses something in Keras."""
        if len(text) > TEXT:
            return False
        if f'"{text}"' in self.sources or f"'{text}'" in self.sources:
            return True
        if self.words is None:
            self.words = keras_words()
        return text in self.words

    def sequence(self, base, v, depth):
        n = base.__len__(v)
        out = {"kind": "sequence", "type": "set" if base is frozenset else base.__name__, "length": n}
        if n <= ITEMS and depth > 0:
            items = [self.value(i, depth - 1) for i in base.__iter__(v)]
            if base in (set, frozenset):  # whose order is not the same in every run
                items.sort(key=lambda i: json.dumps(i, sort_keys=True))
            out["items"] = items
        return out

    def mapping(self, v, depth):
        out = {"kind": "mapping", "length": len(v)}
        if depth > 0:
            told = [k for k in v if type(k) is str and self.told(k)][:KEYS]
            if told or not v:
                out["items"] = {k: i for k, i in ((k, self.value(v[k], depth - 1)) for k in told) if i is not None}
        return out

    def object(self, cls, fields, depth):
        out = {"kind": "object", "class": f"{cls.__module__}.{cls.__qualname__}"}
        if depth > 0:
            described = ((n, self.value(fields[n], depth - 1)) for n in list(fields) if isinstance(n, str) and len(n) <= TEXT and not n.startswith("__"))
            out["fields"] = dict([(n, d) for n, d in described if d is not None][: 4 * KEYS])
        return out

    def _object(self, v, cls, lineage, depth):
        own = attributes(v)
        if ("omegaconf", "Node") in lineage or ("omegaconf", "Container") in lineage:
            content = own.get("_content", own.get("_val"))
            if type(content) is dict:
                return self.object(cls, content, depth)
            return self.value(content, depth)
        if ("ml_collections", "ConfigDict") in lineage:
            return self.object(cls, own["_fields"], depth)
        if ("absl", "FlagValues") in lineage:
            flags = [f for module, flags in own["__flags_by_module"].items() if not module.startswith("absl.") for f in flags]
            return self.object(cls, {attributes(f)["name"]: attributes(f).get("_value") for f in flags}, depth)
        for row, properties in PROPERTIES.items():
            if row in lineage:
                asked = {p: self.attribute(v, p) for p in properties}
                if self.files.of_class(cls) == "own":
                    asked = {**own, **asked}
                return self.object(cls, {n: a for n, a in asked.items() if a is not None}, depth)
        if any(r in KERAS and n in ("Optimizer", "BaseOptimizer", "OptimizerV2") for r, n in lineage):
            return self.object(cls, {n: a for n, a in self.guarded(v.get_config).items() if a is not None}, depth)
        if self.files.of_class(cls) == "own":
            if any(r in KERAS for r, _ in lineage):
                own = self.set_by_program(own)
            return self.object(cls, own, depth)
        root = lineage[0][0]
        if root in SETS_ATTRIBUTES or "__dataclass_fields__" in vars(cls) or "__attrs_attrs__" in vars(cls) or root in KERAS and ".preprocessing" in cls.__module__ or root == "transformers" and cls.__name__.endswith("Config"):
            return self.object(cls, own, depth)
        if root == "tensorflow_datasets" and issubclass(cls, object) and hasattr(cls, "keys") and hasattr(cls, "__getitem__"):
            return self.mapping(self.guarded(lambda: {k: v[k] for k in list(v.keys())[: KEYS + 1]}), depth)
        if root in ("collections", "array", "datasets") and hasattr(cls, "__len__"):
            return {"kind": "length", "class": f"{cls.__module__}.{cls.__qualname__}", "length": self.guarded(lambda: len(v))}
        return None

    def set_by_program(self, own):
        """The attributes of a layer, a model or a callback without those of Keras itself."""
        return {n: a for n, a in own.items() if f"self.{n}" in self.sources}

    def attribute(self, v, name):
        """A property that a library has made, or None."""
        try:
            return self.guarded(lambda: getattr(v, name))
        except (Exception, Refused):
            return None

    def guarded(self, ask):
        """What a library answers, unless it would run the program's code to do so."""
        if sys.getprofile() is not None:
            raise Refused  # another profiler is at work, and cannot be put back in all Pythons

        def watch(frame, event, _):
            if event == "call" and self.files.of_code(frame) != "library":
                raise Refused

        # Not in the graph of a step that is being traced.
        outside = getattr(sys.modules.get("tensorflow"), "init_scope", None) if tracing() else None
        with outside() if outside else contextlib.nullcontext():
            sys.setprofile(watch)
            try:
                return ask()
            finally:
                sys.setprofile(None)

    def model(self, v):
        cls = type(v)
        out = {"kind": "model", "class": f"{cls.__module__}.{cls.__qualname__}", "config": self.try_to(lambda: configuration(v))}
        if out["config"] is None:  # its loss or a metric is the program's own
            out["config"] = self.try_to(lambda: bare_configuration(v))
        out["inputs"] = self.try_to(lambda: [shape(i) for i in v.inputs] or None)
        out["parameters"] = self.try_to(lambda: weights(v.weights))
        out["trainable"] = self.try_to(lambda: weights(v.trainable_weights))
        if self.files.of_class(cls) == "own":
            out["fields"] = self.object(cls, self.set_by_program(attributes(v)), 1)["fields"]
        return out

    def try_to(self, ask):
        try:
            return self.guarded(ask)
        except (Exception, Refused):
            return None


def number(v):
    if isinstance(v, float) and not math.isfinite(v) or isinstance(v, int) and abs(v) >= 1 << 63:
        return None
    return {"kind": "number", "value": v}


def attributes(v):
    """What an object's own attributes are, without asking its class."""
    out = {}
    for cls in reversed(type(v).__mro__):
        slots = vars(cls).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else tuple(slots):
            member = vars(cls).get(slot)
            if type(member).__name__ == "member_descriptor":
                try:
                    out[slot] = member.__get__(v)
                except AttributeError:
                    pass
    try:
        out.update(object.__getattribute__(v, "__dict__"))
    except AttributeError:
        pass
    return out


def shape(v):
    """The dimensions of something that has a shape; those that are not known are None."""
    dims = v.shape
    dims = dims.as_list() if hasattr(dims, "as_list") else dims
    return [None if d is None or getattr(d, "value", d) is None else int(getattr(d, "value", d)) for d in dims]


def dtype(v):
    of = v.dtype
    if getattr(of, "kind", "") in ("U", "S"):
        return "str"
    name = getattr(of, "name", None)
    name = name if isinstance(name, str) else str(of)
    return name.rpartition(".")[2].replace("_ref", "")


def array(v, library):
    name = type(v).__name__
    if name.endswith("Spec") or library == "tensorflow" and "Sparse" in name or not (hasattr(v, "shape") and hasattr(v, "dtype")):
        return None
    return {"kind": "array", "library": library, "shape": shape(v), "dtype": dtype(v)}


def table(v):
    columns = [c for c in v.columns[: KEYS + 1]]
    named = len(columns) <= KEYS and all(type(c) is str and len(c) <= TEXT for c in columns)
    return {
        "kind": "table", "library": "pandas", "rows": len(v.index), "count": len(v.columns),
        "columns": columns if named else None, "dtypes": [getattr(d, "name", str(d)) for d in v.dtypes[: 4 * KEYS]],
    }


def cardinality(dataset):
    """How many elements a dataset has: None if that is not known, -1 if there is no end."""
    try:
        n = int(dataset.cardinality().numpy())
    except Exception:
        return None
    return None if n == -2 else n


# What leaves a batch as large as it is. A map nearly always does.
KEEPS_BATCHES = ("Prefetch", "Map", "Options", "Repeat", "Take", "Skip", "Cache", "Shuffle", "Assert", "Model", "Optimize", "Shard", "Concatenate")


def batch_size(dataset):
    """The size of a dataset's batches, which its spec leaves out if the last may be smaller."""
    tf = sys.modules["tensorflow"]
    dataset = vars(dataset).get("_original_dataset", dataset)  # of one that replicas share
    for _ in range(2 * KEYS):
        name = type(dataset).__name__
        size = vars(dataset).get("_batch_size")
        if "Batch" in name and size is not None:
            return int(tf.get_static_value(size))
        if not any(k in name for k in KEEPS_BATCHES) and name != "DatasetV1Adapter":
            return None
        dataset = vars(dataset).get("_input_dataset", vars(dataset).get("_dataset"))
        if dataset is None:
            return None
    return None


def spec(v):
    """What a batch looks like, by its arrays or their specs. Raises if there is something else."""
    if v is None or type(v).__name__ in ("NoneTensorSpec", "OptionalSpec"):
        return {"kind": "none"}
    if isinstance(v, dict):
        return {"kind": "mapping", "items": {str(k)[:TEXT]: spec(i) for k, i in list(v.items())[: 4 * KEYS]}}
    if isinstance(v, (list, tuple)):
        if v and all(isinstance(i, (int, float)) for i in v):  # numbers that Keras makes an array of
            return {"kind": "tensor", "shape": [len(v)], "dtype": "float32" if any(isinstance(i, float) for i in v) else "int64"}
        return {"kind": "tuple", "items": [spec(i) for i in v[: 4 * KEYS]]}
    if type(v).__name__ == "PerReplicaSpec":
        return times(spec(v._value_specs[0]), len(v._value_specs))
    if type(v).__name__ in ("DataFrame", "Series"):
        kinds = {str(d) for d in (v.dtypes if type(v).__name__ == "DataFrame" else [v.dtype])}
        return {"kind": "tensor", "shape": [int(n) for n in v.shape], "dtype": kinds.pop() if len(kinds) == 1 else "float64"}
    try:
        dims = shape(v)
    except ValueError:  # of unknown rank
        return {"kind": "tensor", "dtype": dtype(v)}
    return {"kind": "tensor", "shape": dims, "dtype": dtype(v)}


def times(s, n):
    """The spec of a batch that replicas have shared among them."""
    if s["kind"] == "tensor" and s.get("shape") and s["shape"][0] is not None:
        return {**s, "shape": [n * s["shape"][0], *s["shape"][1:]]}
    if s["kind"] == "tuple":
        return {**s, "items": [times(i, n) for i in s["items"]]}
    if s["kind"] == "mapping":
        return {**s, "items": {k: times(i, n) for k, i in s["items"].items()}}
    return s


def of_batch(s, n):
    """A spec whose first dimension is n wherever it is not known."""
    if s and n and s["kind"] == "tensor" and s.get("shape") and s["shape"][0] is None:
        return {**s, "shape": [int(n), *s["shape"][1:]]}
    if s and s["kind"] == "tuple":
        return {**s, "items": [of_batch(i, n) for i in s["items"]]}
    if s and s["kind"] == "mapping":
        return {**s, "items": {k: of_batch(i, n) for k, i in s["items"].items()}}
    return s


def configuration(model):
    """What a model's to_json says, with how it was compiled. Keras 2 leaves that out."""
    said = json.loads(model.to_json())
    if not said.get("config") or not said["config"].get("layers"):
        return None
    if "compile_config" not in said:
        said["compile_config"] = compiled(model)
    return plain(said)


def bare_configuration(model):
    """The same of a model that was compiled with code of the program's own."""
    said = model.get_config()
    if not said.get("layers"):
        return None
    cls = next(c for c in type(model).__mro__ if c.__module__.partition(".")[0] in KERAS)
    optimizer = getattr(model, "optimizer", None)
    optimizer = optimizer and {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}
    return plain({"module": "keras", "class_name": cls.__name__, "config": said, "compile_config": {"optimizer": optimizer, "loss": None}})


def compiled(model):
    if hasattr(model, "get_compile_config"):
        return model.get_compile_config()
    optimizer = getattr(model, "optimizer", None)
    if optimizer is None:
        return None
    return {"optimizer": {"class_name": type(optimizer).__name__, "config": optimizer.get_config()}, "loss": model.loss if isinstance(getattr(model, "loss", None), str) else None}


def plain(v, key=""):
    """A configuration without contents: a vocabulary, a matrix of weights, a function's code."""
    if isinstance(v, dict):
        if v.get("class_name") in ("__numpy__", "__tensor__", "__lambda__"):
            return None
        return {str(k)[:TEXT]: plain(i, k) for k, i in v.items()}
    if isinstance(v, (list, tuple)):
        if key == "vocabulary" or len(v) > KEYS and not any(isinstance(i, (dict, list)) for i in v):
            return None
        return [plain(i) for i in v]
    if isinstance(v, bool) or v is None:
        return v
    if isinstance(v, (int, float)):
        return v if math.isfinite(v) else None
    if isinstance(v, str):
        return v if len(v) <= TEXT else None
    if hasattr(v, "item") and getattr(v, "shape", None) == ():  # a number of NumPy
        return plain(v.item())
    if callable(v):
        return str(getattr(v, "__name__", ""))[:TEXT] or None
    return None


def weights(variables):
    return sum(math.prod(shape(w)) for w in variables) if hasattr(math, "prod") else sum(_product(shape(w)) for w in variables)


def _product(numbers):
    n = 1
    for d in numbers:
        n *= d
    return n


def keras_words():
    """The words by which Keras knows optimizers, losses, activations, applications and types."""
    words = set(DTYPES)
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in KERAS and name.rpartition(".")[2] in ("optimizers", "losses", "metrics", "activations", "initializers", "applications"):
            for word in list(getattr(module, "__dict__", ())):
                if not word.startswith("_"):
                    words.update((word, word.lower()))
    return words


def tracing():
    """Whether TensorFlow is tracing a function. What has not begun must not be initialised here."""
    context = sys.modules.get("tensorflow.python.eager.context")
    try:
        return context is not None and not context.executing_eagerly()
    except Exception:
        return False


def policy():
    """The global dtype policy."""
    for name in ("keras.src.dtype_policies.dtype_policy", "tf_keras.src.mixed_precision.policy", "keras.src.mixed_precision.policy", "keras.mixed_precision.policy", "tensorflow.python.keras.mixed_precision.policy"):
        module = sys.modules.get(name)
        ask = getattr(module, "dtype_policy", None) or getattr(module, "global_policy", None)
        try:
            said = ask().name if ask else None
            if isinstance(said, str):
                return said
        except Exception:
            pass
    return None


def versions():
    def of(name):
        said = vars(sys.modules[name]).get("__version__") if name in sys.modules else None
        return said if isinstance(said, str) else None

    return {"python": sys.version.partition(" ")[0], "tensorflow": of("tensorflow"), "keras": of("keras"), "tf_keras": of("tf_keras")}


TIMED = "<timed exec>"  # what %%time runs


class Frame:
    """A function of the program that runs, or its module, or a cell of its notebook."""

    def __init__(self, code, cell, line, names):
        self.path = None if cell is not None else os.path.realpath(code.co_filename)
        module = code.co_name == "<module>" or code.co_name.startswith("<cell line")
        self.function = "" if module else qualified(code)
        self.cell, self.first, self.line, self.names = None, code.co_firstlineno, line, names
        if cell is not None:
            self.of_cell(cell)

    def of_cell(self, cell):
        """The frame's code is that of a cell, below its magic's line if it has one."""
        text, above = cell if isinstance(cell, tuple) else (cell, body_of(cell)[0])
        self.path, self.cell, self.first, self.line = None, text, self.first + above, self.line + above

    def place(self):
        where = {"cell": self.cell} if self.cell is not None else {"file": self.path}
        return {**where, "function": self.function, "first": self.first, "line": self.line}


def frames(files, frame):
    """The frames of the program's own files that lead to a frame, outermost first."""
    out, line, timed = [], 0, []
    while frame is not None:
        code = frame.f_code
        if "__autograph_generated_file" in code.co_filename:
            # TensorFlow runs a function in a text that it has made of it.
            origin = autograph_origin(frame)
            if origin is not None and own_code(files, origin[0].__code__):
                line = line or origin[1]
                if code.co_name.startswith("tf__"):  # others are parts of it, such as a loop's body
                    own = origin[0].__code__
                    made = Frame(own, cell_of(own.co_filename), line or own.co_firstlineno, local(frame))
                    out.append(made)
                    if own.co_filename == TIMED:
                        timed.append(made)
                    line = 0
        elif own_code(files, code):
            made = Frame(code, cell_of(code.co_filename), frame.f_lineno, local(frame) if code.co_flags & 1 else frame.f_globals)
            if not made.function.startswith("<") and (code.co_flags & 1 or not made.function):  # no comprehension, and no class's body
                out.append(made)
                if code.co_filename == TIMED:
                    timed.append(made)
                elif made.cell is not None:
                    for inner in timed:
                        inner.of_cell(made.cell)
                    timed = []
        frame = frame.f_back
    return [f for f in out[::-1] if f not in timed]


def own_code(files, code):
    return files.kind(code.co_filename) == "own" or code.co_filename == TIMED or cell_of(code.co_filename) is not None


def local(frame):
    code = frame.f_code
    names = frame.f_locals
    return {n: names[n] for n in code.co_varnames + code.co_cellvars if n in names and n not in ("ag__", "fscope", "do_return", "retval_")}


def autograph_origin(frame):
    """The function that a generated text was made of, and the line in it."""
    at, line = frame.f_code.co_filename, frame.f_lineno
    caller = frame.f_back
    while caller is not None:
        if caller.f_code.co_name == "converted_call":
            names = caller.f_locals
            made = names.get("converted_f")
            if made is not None and made.__code__.co_filename == at:
                origins = {(where.filename, where.lineno): origin.loc.lineno for where, origin in getattr(made, "ag_source_map", {}).items()}
                return names["target_entity"], origins.get((at, line), 0)
        caller = caller.f_back
    return None


def qualified(code):
    """The name of a function with those of the classes and functions that it stands in."""
    name = getattr(code, "co_qualname", None)
    if name is not None:
        return name.replace("<locals>.", "")
    import ast

    def find(node, above):
        for child in ast.iter_child_nodes(node):
            inside = above
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                inside = above + [child.name]
                lines = [child.lineno, *(d.lineno for d in child.decorator_list)]
                if child.name == code.co_name and code.co_firstlineno in lines:
                    return ".".join(inside)
            found = find(child, inside)
            if found:
                return found
        return None

    try:
        return find(ast.parse("".join(linecache.getlines(code.co_filename))), []) or code.co_name
    except (SyntaxError, ValueError, RecursionError):
        return code.co_name


def cell_of(name):
    """The text of the notebook's cell that a code was compiled from, as it was typed, and how many
    lines stand above the code there; or None."""
    if "ipykernel" not in name and "<ipython-input" not in name:
        return None
    text = "".join(linecache.getlines(name))
    if not text:
        return None
    for raw, parsed in history():
        if parsed.strip() == text.strip():
            return raw, 0
        above, body = body_of(raw)
        if above and body.strip() == text.strip():  # its magic runs it as a cell
            return raw, above
    return text, 0


def body_of(cell):
    """How many lines of a cell stand above the code that its magic runs, and that code."""
    lines = cell.split("\n")
    at = next((i for i, line in enumerate(lines) if line.strip()), 0)
    above = at + 1 if lines[at].startswith("%%") else 0
    return above, "\n".join(lines[above:])


def history():
    """The cells that have run, the last first: as they were typed, and as IPython reads them."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    manager = getattr(shell, "history_manager", None)
    return [] if manager is None else list(zip(manager.input_hist_raw, manager.input_hist_parsed))[::-1]


def dump(files, event=None, events=(), stack=(), more=()):
    """What is written of a program: the step at which it stops, and the names of its frames and modules.
    more are modules that have no file of Python's: paths and names."""
    modules = list(more)
    running = {f.path for f in stack if not f.function}
    for name, module in sorted(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and type(module) is type(os) and files.kind(path) == "own" and os.path.realpath(path) not in running:
            running.add(os.path.realpath(path))
            modules.append((os.path.realpath(path), vars(module)))
    describer = Describer(files, sources(stack, modules))
    out = {**versions(), "event": describe_event(describer, event), "events": [e for e in (describe_event(describer, e) for e in events) if e]}
    room = SIZE - len(json.dumps(out))
    out["frames"] = []
    out["modules"] = []
    cut = False
    cells = [f for f in stack if f.cell is not None and not f.function]
    for f in reversed(stack):  # the innermost first, should there be no room for all
        known = f.names
        if f in cells:  # the cells' names are one module's; IPython's own begin with "_"
            known = {n: v for n, v in known.items() if not n.startswith("_") and n not in ("In", "Out")} if f is cells[-1] else {}
        names, room, whole = fitting(describer.names(known), room)
        cut = cut or not whole
        out["frames"].insert(0, {**f.place(), "names": names})
    for path, names in modules:
        names, room, whole = fitting(describer.names(names), room)
        cut = cut or not whole
        out["modules"].append({"file": path, "names": names})
    if cut or describer.left < 0:
        out["cut"] = True
    return out


def describe_event(describer, event):
    if event is None:
        return None
    return {**event, "model": describer.value(event["model"]) if event.get("model") is not None else None}


def fitting(names, room):
    """The names that there is room for, the room that they leave, and whether these are all."""
    out = {}
    for name, value in names.items():
        size = len(json.dumps(value)) + len(name) + 6
        if size <= room:
            out[name] = value
            room -= size
    return out, room, len(out) == len(names)


def sources(stack, modules):
    """The texts of the program: those of its files and cells."""
    out = [f.cell for f in stack if f.cell is not None]
    for path in dict.fromkeys([f.path for f in stack if f.path] + [path for path, _ in modules]):
        out.append("".join(linecache.getlines(path)))
    return out + [raw for raw, _ in history()]
