"""Records what the train steps of the models in cases/ need when XLA compiles them.

    python record_xla.py cases/*.py styles/cases/*.py loops/cases/*.py --jax PYTHON --gpu a100 --out xla.json

It needs TensorFlow (the CPU build is enough), and a Python that has JAX with its
CUDA plugin and NVIDIA's compiler:

    pip install jax jax-cuda12-plugin jax-cuda12-pjrt nvidia-cuda-nvcc-cu12

A GPU is not needed, nor are CUDA's libraries: XLA compiles ahead of time, for a
GPU described in gpus/. Each case runs in a process of its own, as the script it
is, until `Model.fit` has its first batch, or a function of its own under
`tf.function` that opens a tape is called. TensorFlow then lowers the train step
to HLO as `jit_compile=True` does, variables given up to their new values; JAX's
plugin, which is XLA's GPU compiler, compiles that HLO, and its buffer
assignment is written down. With `--predict` it is the step of `Model.predict`
instead. README.md says how far the figures are to be trusted.
"""

import argparse
import gc
import importlib
import importlib.metadata
import json
import os
import re
import runpy
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ENVIRONMENT = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "3"}
# Nothing can be tried out without a device.
FLAGS = ["--xla_gpu_autotune_level=0"]
FACTORS = (1, 4, 0.25)  # of the batch that the case has


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="+", help="training scripts")
    parser.add_argument("--jax", default=sys.executable, help="a Python that has JAX and its CUDA plugin")
    parser.add_argument("--gpu", default="a100", help="a file of gpus/, without its ending")
    parser.add_argument("--once", action="store_true", help="the case's own batch alone")
    parser.add_argument("--predict", action="store_true", help="prediction instead of training")
    parser.add_argument("--out", required=True, help="the file of records; those of other cases stay")
    parser.add_argument("--lower", help=argparse.SUPPRESS)
    parser.add_argument("--compile", help=argparse.SUPPRESS)
    arguments = parser.parse_args()

    if arguments.lower:
        lower = lower_prediction if arguments.predict else lower_training
        return lower_case(arguments.cases[0], arguments.lower, (1,) if arguments.once else FACTORS, lower)
    if arguments.compile:
        return compile_all(arguments.compile, arguments.gpu)
    failed = 0
    for case in arguments.cases:
        failed += record(case, arguments)
    return 1 if failed else 0


def record(case, arguments):
    name = os.path.splitext(os.path.basename(case))[0]
    with tempfile.TemporaryDirectory() as folder:
        common = [os.path.abspath(__file__), case, "--out", arguments.out, "--gpu", arguments.gpu]
        common += [option for option in ("--once", "--predict") if getattr(arguments, option[2:])]
        for python, step in ((sys.executable, "--lower"), (arguments.jax, "--compile")):
            done = subprocess.run(
                [python, *common, step, folder], env=os.environ | ENVIRONMENT,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            )
            if done.returncode:
                print("failed", name, step, done.stderr[-3000:], flush=True)
                return 1
        trainings, versions = read_json(folder, "trainings.json"), {}
        for part in ("tensorflow.json", "jax.json"):
            versions |= read_json(folder, part)
        for training in trainings:
            for step in training["steps"]:
                step |= read_json(folder, step.pop("hlo") + ".json")
    add(arguments.out, arguments.gpu, name, trainings, versions)
    print("recorded", name, trainings, flush=True)
    return 0


def read_json(*path):
    with open(os.path.join(*path), encoding="utf-8") as file:
        return json.load(file)


def write_json(value, *path):
    with open(os.path.join(*path), "w", encoding="utf-8") as file:
        json.dump(value, file)


def add(path, gpu, name, trainings, versions):
    """Puts the records of a case into the file, a line for each step."""
    records = read_json(path) if os.path.exists(path) else {"gpus": {}}
    records["flags"], records["versions"] = FLAGS, versions
    records["gpus"].setdefault(gpu, {})[name] = trainings
    text = json.dumps(records, indent=1, sort_keys=True)
    text = re.sub(r"\{\s+([^{}]*?)\s+\}", lambda m: "{" + re.sub(r"\s+", " ", m[1]) + "}", text)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text + "\n")


# In TensorFlow


class BatchTaken(Exception):
    """Ends fit as soon as its first step is lowered."""


class StepTaken(BaseException):
    """Ends a program as soon as the step that it writes itself is lowered."""


def lower_case(path, folder, factors, lower):
    import tensorflow as tf

    pretend_a_gpu()
    trainings = []
    lower_fits(tf, trainings, folder, factors, lower)
    lower_functions(tf, path, trainings, folder, factors)
    try:
        runpy.run_path(path, run_name="__main__")
    except StepTaken:
        pass
    if not trainings:
        raise SystemExit(f"{path} never trains what XLA could compile")
    write_json(trainings, folder, "trainings.json")
    versions = {"tensorflow": tf.__version__, "keras": importlib.metadata.version("keras")}
    write_json(versions, folder, "tensorflow.json")


def lower_fits(tf, trainings, folder, factors, lower):
    original_fit = tf.keras.Model.fit

    def fit(model, *arguments, **keywords):
        def lower_first(iterator):
            trainings.append(lower(model, next(iterator), folder, len(trainings), factors))
            raise BatchTaken

        def make_train_function(force=False):
            model.train_function = lower_first

        model.make_train_function = make_train_function
        try:
            original_fit(model, *arguments, **keywords)
        except BatchTaken:
            pass
        finally:
            del model.make_train_function
        model.train_function = None
        history = tf.keras.callbacks.History()
        history.history = {"loss": []}
        return history

    tf.keras.Model.fit = fit


def lower_functions(tf, path, trainings, folder, factors):
    """Lowers the first function under tf.function that opens a tape, as if it had jit_compile=True."""
    original = tf.function

    def function(func=None, **keywords):
        if func is None:
            return lambda f: function(f, **keywords)
        if os.path.abspath(func.__code__.co_filename) != os.path.abspath(path) or "GradientTape" not in func.__code__.co_names:
            return original(func, **keywords)

        def lower(bound, arguments):
            arguments = tf.nest.map_structure(constant_of, arguments)
            original(bound).get_concrete_function(*arguments)  # it makes the variables of the optimizers
            data = [t for t in tf.nest.flatten(arguments) if is_data(tf, t)]
            size = int(data[0].shape[0]) if data else 1
            steps = []
            for factor in factors if data else (1,):
                scaled = max(int(size * factor), 1)
                set_batch(func, size, scaled)
                given = tf.nest.map_structure(lambda t: resized(t, size, scaled) if is_data(tf, t) else t, arguments)
                steps.append({"batch_size": scaled, **lowered(tf, original, bound, given, f"{len(trainings)}-{scaled}", folder)})
            trainings.append({"compiles": True, "steps": steps})
            raise StepTaken

        class Function:
            def __get__(self, instance, owner=None):
                return lambda *arguments: lower(func.__get__(instance, owner), arguments)

            def __call__(self, *arguments):
                lower(func, arguments)

        return Function()

    def constant_of(x):
        return x if tf.is_tensor(x) or isinstance(x, tf.Variable) else tf.constant(x)

    tf.function = function


def lowered(tf, function, step, given, hlo, folder):
    """Lowers a step for these arguments; variables among them stay what they are."""
    leaves = tf.nest.flatten(given)

    def of_data(*tensors):
        tensors = iter(tensors)
        return step(*tf.nest.pack_sequence_as(given, [next(tensors) if is_data(tf, x) else x for x in leaves]))

    compiled = function(of_data, jit_compile=True)
    data = [x for x in leaves if is_data(tf, x)]
    with open(os.path.join(folder, hlo), "wb") as file:
        file.write(compiled.experimental_get_compiler_ir(*data)(stage="hlo_serialized"))
    # The slots are there, whether this very function applies the gradients or not.
    read = {id(v.handle) for v in compiled.get_concrete_function(*data).graph.variables}
    optimizers = [o for o in gc.get_objects() if isinstance(o, tf.keras.optimizers.Optimizer)]
    slots = {id(v.value.handle): v.value for o in optimizers for v in o.variables}
    rests = sum(v.dtype.size * v.shape.num_elements() for key, v in slots.items() if key not in read)
    return {"hlo": hlo, "rests_bytes": rests}


def is_data(tf, x):
    return tf.is_tensor(x) and not isinstance(x, tf.Variable)


def set_batch(function, own, size):
    """Gives a module's constant for the size of the batch the size that is recorded."""
    for name in ("BATCH_SIZE", "BATCH", "batch_size", "batch"):
        if isinstance(function.__globals__.get(name), int):
            function.__globals__[name] = size


def pretend_a_gpu():
    """Makes Keras decide on XLA, and on cuDNN's kernels, as where there is a GPU."""
    from keras.src.trainers import trainer

    # The package has a function of the same name.
    rnn = importlib.import_module("keras.src.backend.tensorflow.rnn")

    def resolve(model):
        return not model._distribute_strategy and trainer.model_supports_jit(model)

    trainer.Trainer._resolve_auto_jit_compile = resolve
    rnn._is_gpu_available = lambda: True


def lower_training(model, batch, folder, number, factors):
    """Lowers the train step for several batch sizes."""
    return lower_step(model, model.train_step, batch, folder, number, factors)


def lower_prediction(model, batch, folder, number, factors):
    """Lowers the step of predict, which has the data alone."""
    return lower_step(model, model.predict_step, batch[:1], folder, number, factors)


def lower_step(model, step_of, batch, folder, number, factors):
    import tensorflow as tf
    from tensorflow.python.eager import def_function

    size = int(tf.nest.flatten(batch)[0].shape[0])
    steps = []
    if model.run_eagerly or not model.jit_compile:
        return {"compiles": False, "steps": []}
    for factor in factors:
        scaled = max(int(size * factor), 1)
        inputs = tf.nest.map_structure(lambda t: resized(t, size, scaled), batch)
        step = def_function.function(step_of, jit_compile=True, autograph=False)  # not lower_functions'
        hlo = f"{number}-{scaled}"
        with open(os.path.join(folder, hlo), "wb") as file:
            file.write(step.experimental_get_compiler_ir(inputs)(stage="hlo_serialized"))
        steps.append({"batch_size": scaled, "hlo": hlo})
    return {"compiles": True, "steps": steps}


def resized(tensor, old, new):
    """The tensor with another batch dimension, all zeros."""
    import tensorflow as tf

    shape = tensor.shape.as_list()
    return tf.zeros([new] + shape[1:], tensor.dtype) if shape and shape[0] == old else tensor


# In JAX


def compile_all(folder, gpu):
    """Compiles each lowered step, and writes down its buffer assignment."""
    import jax
    import jax_plugins.xla_cuda12 as plugin
    import nvidia.cuda_nvcc as nvcc
    from jaxlib import xla_client

    toolkit = list(nvcc.__path__)[0]
    os.environ["PATH"] = os.path.join(toolkit, "bin") + os.pathsep + os.environ["PATH"]
    os.environ["XLA_FLAGS"] = " ".join(FLAGS + ["--xla_gpu_cuda_data_dir=" + toolkit, os.environ.get("XLA_FLAGS", "")])
    library = os.path.join(list(plugin.__path__)[0], "xla_cuda_plugin.so")
    api = xla_client.load_pjrt_plugin_dynamically("cuda", library)
    xla_client.initialize_pjrt_plugin("cuda")
    with open(os.path.join(HERE, "gpus", gpu + ".txtpb"), encoding="utf-8") as file:
        description = file.read()
    topology = xla_client.make_c_api_device_topology(api, "", target_config=description, topology="1x1x1")
    devices = topology._make_compile_only_devices()
    for step in [s for t in read_json(folder, "trainings.json") for s in t["steps"]]:
        with open(os.path.join(folder, step["hlo"]), "rb") as file:
            executable = compile_hlo(file.read(), devices)
        sizes = executable.get_compiled_memory_stats()
        write_json({
            "arguments_bytes": sizes.argument_size_in_bytes,
            "outputs_bytes": sizes.output_size_in_bytes - sizes.alias_size_in_bytes,
            "temporaries_bytes": sizes.temp_size_in_bytes,
        }, folder, step["hlo"] + ".json")
    write_json({"jax": jax.__version__}, folder, "jax.json")


def compile_hlo(hlo, devices):
    from jax._src.interpreters import mlir as jax_mlir
    from jaxlib import _jax, xla_client
    from jaxlib.mlir import ir

    text = _jax.mlir.xla_computation_to_mlir_module(xla_client.XlaComputation(hlo))
    # TensorFlow copies results, which the plugin's import does not know. Like a
    # reshape to the same shape, a copy is the first thing that XLA removes.
    text = re.sub(r"mhlo\.copy (%[\w#]+) : (tensor<[^>]*>)", r"stablehlo.reshape \1 : (\2) -> \2", text)
    context = jax_mlir.make_ir_context()
    with context:
        module = ir.Module.parse(text)
    options = xla_client.CompileOptions()
    options.num_replicas = options.num_partitions = 1
    return devices[0].client.compile(module, xla_client.DeviceList(tuple(devices[:1])), options)


if __name__ == "__main__":
    sys.exit(main())
