"""Takes hold of a program's training: writes down what its names are, and stops it before its
first step, or after some.

sitecustomize.py imports it if TFMEM_PROBE names a folder. It waits until the program imports
TensorFlow or Keras, and changes those classes of theirs through which training goes. Keras 2 and 3
are told apart by their modules. What goes wrong here is no failure of the program.

TFMEM_PROBE_STEPS  how many steps run first
TFMEM_PROBE_CPU    set: GPUs stay hidden, whatever the program says
TFMEM_PROBE_ROOT   the folder of the project, whose files are the program's own as well
TFMEM_PROBE_TRACE  how many seconds it may take to trace the step; 0 for no trace
TFMEM_PROBE_VERIFY how many seconds it may take to run a step on a small batch; 0 for none
"""

import functools
import json
import os
import sys
import threading
import time

import tfmem_observe as observe
import tfmem_trace as trace
import tfmem_verify as verify

KINDS = ("fit", "evaluate", "predict", "train_on_batch", "test_on_batch", "predict_on_batch")
LIMIT = float(os.environ.get("TFMEM_PROBE_TRACE") or 60)
BATCHES = 100  # of a dataset whose text leaves sizes open, among which the largest is looked for
FIRST, OTHERS = 60, 10  # seconds that the first of them may take, and the others together
VERIFYING = float(os.environ.get("TFMEM_PROBE_VERIFY") or 0)
TRAINS = ("fit", "train_on_batch", "gradient", "apply_gradients")
PLACES = 8  # where steps that do not train are written down
KERAS = ("keras.src.", "keras.", "tf_keras.src.", "tf_keras.", "tensorflow.python.keras.")


class Hold:
    def __init__(self, folder):
        self.folder = folder
        self.steps = int(os.environ.get("TFMEM_PROBE_STEPS") or 0)
        self.start = os.getcwd()
        self.files = None
        self.busy = threading.local()
        self.event, self.events = None, []
        self.thread = None  # that trains by Keras, while its step is yet to be traced
        self.keras = False  # Keras trains
        self.done = 0  # steps
        self.running, self.marked = [], False  # tf.functions; whether the outermost takes a gradient
        self.gradient_taken, self.gradients = False, 0
        self.optimizer = ""  # the class of the last that applied some
        self.sources = {}  # variables that gradients were taken of
        self.model = None  # that Keras trains
        self.traces, self.graph, self.pending = 0, None, None  # tf.functions that are being traced; the last step's graph; the stack of a step that stops once it is traced
        self.first_batches = {}  # of Keras 3, by the signature that it made of them
        self.peeked = None  # of Keras 2, the last
        self.dataset = None  # that fit trains on
        self.largest = None  # what its first batches say of the event

    # What Keras and TensorFlow call.

    def made(self, frame, model):
        """Keras is about to run steps of a model: its train, test or predict function is made."""
        while frame is not None and not (frame.f_code.co_name in KINDS and self.own(frame) is False):
            frame = frame.f_back
        if frame is None:
            return
        kind = frame.f_code.co_name
        stack = self.stack(frame)
        event = {"kind": kind, **where(stack), **self.batch(kind, frame.f_locals), "model": model, "policy": observe.policy()}
        if kind not in TRAINS:
            if len(self.events) < PLACES and all(place(e) != place(event) for e in self.events):
                self.events.append(event)
                self.write(stack)
            return
        if self.event is not None and place(self.event) == place(event):
            self.keras = True
            return
        if self.event is not None and len(self.events) < PLACES:
            self.events.append(self.event)
        self.event, self.keras, self.model = event, True, model
        self.dataset = first(frame.f_locals.get("epoch_iterator", frame.f_locals.get("data_handler")), "_distributed_dataset", "_dataset")
        if self.done >= self.steps and built(model):
            self.stop(stack)
        self.write(stack)  # it may fail before its step
        self.thread = threading.get_ident()

    def gradient(self, kind, sources=None):
        """A gradient is taken, or applied: now, or in the trace of a step."""
        if sources is not None:
            trained = [s for s in flat(sources) if trainable(s)]
            if not trained:
                return
            self.sources.update((id(getattr(v, "handle", v)), v) for v in trained)
        if self.pending is not None:
            return
        if kind == "apply_gradients" and self.gradient_taken:
            return  # of a step that was seen
        self.gradient_taken = self.gradient_taken or kind == "gradient"
        self.gradients += 1
        stack = self.stack(sys._getframe(3 if kind == "gradient" else 4))
        if self.thread is not None:  # in the first step of Keras: the model is built
            self.thread = None
            self.stop(stack) if self.done >= self.steps else self.write(stack)
            return
        if self.keras:
            return
        event = {"kind": kind, **where(stack), "batch": None, "steps": None, "model": None, "policy": observe.policy()}
        if self.event is None or place(self.event) != place(event):
            if self.event is not None and len(self.events) < PLACES:
                self.events.append(self.event)
            self.event = event
            if self.done < self.steps:
                self.write(stack)
        if self.done >= self.steps:
            if self.traces and LIMIT and not executing_eagerly():  # it stops once the function's trace ends
                if self.pending is None:
                    self.write(stack)
                    self.pending = stack
                return
            self.stop(stack)
        if self.running and not executing_eagerly():
            self.marked = True
        else:
            self.done += 1

    def applies(self, optimizer):
        self.optimizer = type(optimizer).__name__
        self.gradient("apply_gradients")

    def ended(self, n=1, frame=None):
        """Steps have run."""
        self.done += n
        if self.event is not None and 0 < self.steps <= self.done:
            self.stop(self.stack(frame or sys._getframe(2)))

    def batch(self, kind, names):
        """What a batch looks like, and how many there are, by the variables of Keras's own function."""
        try:
            if kind.endswith("_on_batch"):
                parts = [names.get(n) for n in ("x", "y", "sample_weight")]
                while len(parts) > 1 and parts[-1] is None:
                    parts.pop()
                return {"batch": {"kind": "tuple", "items": [observe.spec(p) for p in parts]}, "steps": 1}
            data = names.get("epoch_iterator", names.get("data_handler"))
            if data is None:  # Keras 2 in graphs of TensorFlow 1
                parts = [names[n] for n in ("x", "y", "inputs", "targets") if names.get(n) is not None]
                return {"batch": cut({"kind": "tuple", "items": [observe.spec(p) for p in parts]}, names.get("batch_size") or 32), "steps": None}
            steps = first(data, "steps_per_epoch", "_num_batches", "_inferred_steps")
        except Exception:
            return {"batch": None, "steps": None}
        steps = steps if isinstance(steps, int) and steps > 0 else None
        try:
            dataset = first(data, "_distributed_dataset", "_dataset")
            adapter = first(data, "data_adapter", "_adapter")
            said = observe.spec(dataset.element_spec)
            signature = getattr(adapter, "_output_signature", None)
            if id(signature) in self.first_batches:
                return {"batch": filled(said, self.first_batches[id(signature)][1]), "steps": steps}
            if hasattr(adapter, "_first_batch_size"):
                return {"batch": filled(said, self.peeked), "steps": steps}
            adapter = getattr(adapter, "_internal_adapter", adapter)
            n = first(adapter, "_batch_size") or observe.batch_size(dataset)
            partial = first(adapter, "_partial_batch_size")
            if partial and getattr(adapter, "_size", None) == 1:
                n = partial
            return {"batch": observe.of_batch(said, n), "steps": steps}
        except Exception:
            return {"batch": None, "steps": steps}

    # What is written.

    def own(self, frame):
        if self.files is None:
            script = getattr(sys.modules.get("__main__"), "__file__", None)
            self.files = observe.Files(os.environ.get("TFMEM_PROBE_ROOT"), self.start, script and os.path.dirname(os.path.join(self.start, script)))
        return observe.own_code(self.files, frame.f_code)

    def stack(self, frame):
        """The program's own frames of this thread, below those of the thread that waits for it."""
        self.own(frame)
        stack = observe.frames(self.files, frame)
        main = self.thread or threading.main_thread().ident
        if main != threading.get_ident():
            above = sys._current_frames().get(main)
            if above is not None:
                stack = observe.frames(self.files, above) + stack
        return stack

    def write(self, stack):
        said = observe.dump(self.files, self.event, self.events, stack)
        path = os.path.join(self.folder, f"{os.getpid()}.json")
        with open(path + ".new", "w", encoding="utf-8") as file:
            json.dump(said, file)
        os.replace(path + ".new", path)

    def stop(self, stack):
        """Ends the process, once its step is traced."""
        try:
            sys.setprofile(None)  # a profiler's report is lost with the process
            self.write(stack)
            if self.event is None:
                return
            if self.dataset is not None and any(n is None for n in dimensions(self.event["batch"])):
                self.apart(self.look_at_batches, FIRST + OTHERS)
                if self.largest is not None:
                    self.event.update(self.largest)
                    self.write(stack)
            for name, limit, ask in (("step", LIMIT, self.step), ("measured", VERIFYING, self.measured)):
                said = self.apart(ask, limit) if limit else None
                if said is not None:
                    self.event[name] = said
                    self.write(stack)
        finally:
            self.end()

    def apart(self, ask, limit):
        """What is asked in a thread of its own, which has no tape, and no graph that is being traced."""
        said = [{"why": f"it took more than {limit:g} seconds"}]

        def work():
            self.busy.now = True
            try:
                said.append(ask())
            except trace.Untold as why:
                said.append({"why": str(why)})
            except Exception as error:
                if os.environ.get("TFMEM_PROBE_DEBUG"):
                    import traceback

                    traceback.print_exc()
                said.append({"why": f"it raised {type(error).__name__}"})

        if self.keras and replicas() > 1:
            return {"why": "it runs on several replicas"}
        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        worker.join(limit)
        return said[-1]

    def look_at_batches(self):
        """Completes the batch of fit by the largest of the first batches: pictures and sentences may have
        any size. The event itself is the other thread's, which may not wait for the last of them."""
        said, seen, end = self.event["batch"], None, None
        for n, batch in enumerate(self.dataset):
            if n == BATCHES or end is not None and time.monotonic() > end:
                return
            end = end or time.monotonic() + OTHERS
            seen = larger(seen, observe.spec(batch))
            self.largest = {"batch": filled(said, seen), "batches": n + 1}

    def step(self):
        """The step as TensorFlow traces it; None if the model says all of it."""
        if self.model is not None and self.keras:
            if trace.said_by_configuration(self.model):
                return None
            return trace.of_model(self.model, self.event["batch"])
        if self.graph is None:
            raise trace.Untold("it does not run in a tf.function")
        trained = list(self.sources.values())
        return {**trace.of_graph(self.graph), **trace.weights(trained, trained), "optimizer": self.optimizer}

    def measured(self):
        """What a step on a small batch takes."""
        if self.model is None or not self.keras:
            raise trace.Untold("Keras does not run it")
        # A trace has a price for its own batch alone.
        most = None if self.event.get("step") else verify.EXAMPLES
        return verify.of_model(self.model, self.event["batch"], most)

    def end(self):
        # Not those that this process has only inherited.
        for child in getattr(sys.modules.get("multiprocessing"), "active_children", list)():
            child.terminate()
        with open(os.path.join(self.folder, f"{os.getpid()}.stopped"), "w") as file:
            file.write("kernel" if "ipykernel" in sys.modules else "")
        for stream in (sys.stdout, sys.stderr):
            try:
                stream.flush()
            except Exception:
                pass
        os._exit(0)

    def guard(self, do, *args):
        """Does something for which the program must not pay, and not while it is being done."""
        if getattr(self.busy, "now", False):
            return
        self.busy.now = True
        try:
            do(*args)
        except (Exception, observe.Refused):
            if os.environ.get("TFMEM_PROBE_DEBUG"):
                import traceback

                traceback.print_exc()
        finally:
            self.busy.now = False


def place(event):
    return event["kind"], event.get("file"), event.get("cell"), event["line"]


def where(stack):
    """The place of the innermost call of the program."""
    if not stack:
        return {"file": "", "line": 0}
    at = stack[-1].place()
    return {k: at[k] for k in ("file", "cell", "line") if k in at}


def first(v, *names):
    """The first attribute that there is, and is not None."""
    return next((a for a in (getattr(v, n, None) for n in names) if a is not None), None)


def cut(said, n):
    """The spec of the first n rows of arrays."""
    if said["kind"] == "tensor":
        return {**said, "shape": [min(n, said["shape"][0]), *said["shape"][1:]]}
    return {**said, "items": [cut(i, n) for i in said["items"]]}


def filled(said, seen):
    """A spec whose unknown dimensions are those of a batch that was seen."""
    if said is None or seen is None or said["kind"] != seen["kind"]:
        return said
    if said["kind"] == "tensor":
        a, b = said.get("shape"), seen.get("shape")
        if b is None or a is not None and len(a) != len(b):
            return said
        return {**said, "shape": b if a is None else [n if m is None else m for m, n in zip(a, b)]}
    if said["kind"] == "tuple" and len(said["items"]) == len(seen["items"]):
        return {**said, "items": [filled(a, b) for a, b in zip(said["items"], seen["items"])]}
    if said["kind"] == "mapping":
        return {**said, "items": {k: filled(i, seen["items"].get(k)) for k, i in said["items"].items()}}
    return said


def larger(a, b):
    """The larger dimensions of two batches."""
    if a is None or a["kind"] != b["kind"]:
        return b
    if b["kind"] == "tensor":
        one, other = a.get("shape"), b.get("shape")
        return {**b, "shape": [max(m, n) for m, n in zip(one, other)]} if one and other and len(one) == len(other) else b
    if b["kind"] == "tuple":
        return {**b, "items": [larger(i, j) for i, j in zip(a["items"], b["items"])]}
    if b["kind"] == "mapping":
        return {**b, "items": {k: larger(a["items"].get(k), i) for k, i in b["items"].items()}}
    return b


def dimensions(said):
    """The dimensions of all tensors of a spec; None for one that is not known."""
    if said is None or said["kind"] == "none":
        return []
    if said["kind"] == "tensor":
        return said.get("shape", [None])
    items = said["items"]
    return [n for i in (items.values() if isinstance(items, dict) else items) for n in dimensions(i)]


def built(model):
    try:
        return bool(model.built) and len(model.weights) > 0
    except Exception:
        return False


def flat(v):
    if isinstance(v, dict):
        v = list(v.values())
    if isinstance(v, (list, tuple)):
        for i in v:
            yield from flat(i)
    else:
        yield v


def trainable(v):
    return any(c.__name__ in ("Variable", "BaseResourceVariable", "DistributedVariable", "AutoCastVariable") and c.__module__.partition(".")[0] in observe.KERAS for c in type(v).__mro__)


def replicas():
    return sys.modules["tensorflow"].distribute.get_strategy().num_replicas_in_sync


def executing_eagerly():
    return sys.modules["tensorflow.python.eager.context"].executing_eagerly()


# How the classes are changed.


def around(cls, name, before=None, after=None):
    """Lets something run before and after a method of a class."""
    method = vars(cls).get(name)
    if not callable(method):
        return

    @functools.wraps(method)
    def held(*args, **kwargs):
        if before is not None:
            hold.guard(before, *args)
        try:
            return method(*args, **kwargs)
        finally:
            if after is not None:
                hold.guard(after, *args)

    setattr(cls, name, held)


def train_loop(cls):
    """Model of Keras 2, or the trainer of Keras 3."""
    for name in ("make_train_function", "make_test_function", "make_predict_function", "_make_train_function", "_make_test_function", "_make_predict_function"):
        around(cls, name, before=lambda model, *_: hold.made(sys._getframe(3), model))
    if hold.steps:
        around(cls, "train_on_batch", after=lambda *_: (hold.ended(1, sys._getframe(3)), setattr(hold, "keras", False)))


def callbacks(cls):
    if hold.steps:
        around(cls, "on_train_batch_end", after=lambda *_: hold.ended(1, sys._getframe(3)))
    around(cls, "on_train_end", after=lambda *_: (setattr(hold, "keras", False), setattr(hold, "thread", None)))


def tape(cls):
    around(cls, "gradient", before=lambda tape, target=None, sources=None, *_: hold.gradient("gradient", sources))


def optimizer(cls):
    for name in ("apply", "apply_gradients"):
        around(cls, name, before=lambda optimizer, *_: hold.applies(optimizer))


def function(cls):
    """tf.function: the end of its call is that of a step, if its trace took a gradient."""
    if not hold.steps:
        return

    def begins(*_):
        hold.running.append(threading.get_ident())

    def ends(*_):
        hold.running.pop()
        if not hold.running and hold.marked:
            hold.ended(1, sys._getframe(3))

    around(cls, "__call__", before=begins, after=ends)


def graphs(module):
    """What makes the graph of a tf.function: the outermost is the step's, if it takes a gradient."""
    make = module.func_graph_from_py_func

    @functools.wraps(make)
    def held(*args, **kwargs):
        outer = hold.traces == 0
        seen = hold.gradients
        hold.traces += 1
        made = None
        try:
            made = make(*args, **kwargs)
            return made
        finally:
            hold.traces -= 1
            if outer and not getattr(hold.busy, "now", False):
                if made is not None and hold.gradients > seen:
                    hold.graph = made
                if hold.pending is not None:
                    hold.guard(hold.stop, hold.pending)

    module.func_graph_from_py_func = held


def context(cls):
    if os.environ.get("TFMEM_PROBE_CPU"):
        around(cls, "_initialize_physical_devices", before=lambda *_: os.environ.__setitem__("CUDA_VISIBLE_DEVICES", "-1"))


def first_batches(module):
    """Keras 3 forgets the size of the batches of generators and PyDatasets."""
    make = module.get_tensor_spec

    @functools.wraps(make)
    def held(batches):
        signature = make(batches)

        def note():
            hold.first_batches[id(signature)] = signature, observe.spec(batches[0])

        hold.guard(note)
        return signature

    module.get_tensor_spec = held


def peeks(cls):
    """Keras 2 does so, too."""
    peek = vars(cls).get("_peek_and_restore")
    if not isinstance(peek, staticmethod):
        return

    def held(x):
        seen = peek.__func__(x)
        hold.guard(lambda: setattr(hold, "peeked", observe.spec(seen[0])))
        return seen

    cls._peek_and_restore = staticmethod(held)


# What is changed in which module: a class, or the module itself.
CHANGES = {
    "tensorflow.python.eager.context": [("Context", context)],
    "tensorflow.python.framework.func_graph": [(None, graphs)],
    "tensorflow.python.eager.backprop": [("GradientTape", tape)],
    "tensorflow.python.eager.polymorphic_function.polymorphic_function": [("Function", function)],
    "tensorflow.python.eager.def_function": [("Function", function)],
    "tensorflow.python.training.optimizer": [("Optimizer", optimizer)],
    "keras.src.backend.tensorflow.trainer": [("TensorFlowTrainer", train_loop)],
    "keras.src.callbacks.callback_list": [("CallbackList", callbacks)],
    "keras.src.optimizers.base_optimizer": [("BaseOptimizer", optimizer)],
    "keras.src.trainers.data_adapters.data_adapter_utils": [(None, first_batches)],
}
for root in KERAS:
    CHANGES.setdefault(root + "engine.training", []).append(("Model", train_loop))
    CHANGES.setdefault(root + "engine.training_v1", []).append(("Model", train_loop))
    CHANGES.setdefault(root + "engine.data_adapter", []).extend([("GeneratorDataAdapter", peeks), ("KerasSequenceAdapter", peeks)])
    CHANGES.setdefault(root + "callbacks", []).append(("CallbackList", callbacks))
    for name in ("optimizers.optimizer", "optimizers.optimizer_experimental.optimizer", "optimizers.legacy.optimizer_v2", "optimizer_v2.optimizer_v2", "optimizer_experimental.optimizer"):
        for cls in ("_BaseOptimizer", "Optimizer", "OptimizerV2"):
            CHANGES.setdefault(root + name, []).append((cls, optimizer))


class Importer:
    """Finds the modules that are to be changed as Python would, and changes them once they are run."""

    def find_spec(self, name, path=None, target=None):
        if name not in CHANGES:
            return None
        for finder in sys.meta_path:
            if finder is not self and hasattr(finder, "find_spec"):
                found = finder.find_spec(name, path, target)
                if found is not None:
                    self.change(found.loader, CHANGES[name])
                    return found
        return None

    def change(self, loader, changes):
        run = getattr(loader, "exec_module", None)
        if run is None:
            return

        def exec_module(module):
            run(module)
            for name, change in changes:
                part = module if name is None else vars(module).get(name)
                # What a module only imports is changed where it is made.
                if part is not None and (name is None or part.__module__ == module.__name__):
                    hold.guard(change, part)

        try:
            loader.exec_module = exec_module
        except AttributeError:  # a loader that is no file's
            pass


hold = Hold(os.environ["TFMEM_PROBE"])
sys.meta_path.insert(0, Importer())
