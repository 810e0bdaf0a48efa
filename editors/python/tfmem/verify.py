"""Runs a training step of Keras on a small batch of zeros, and asks TensorFlow for the peak of its memory.

`tfmem probe --verify` uses it. On the processor TensorFlow tells that only of its best-fit allocator, the
one that GPUs have too, which TF_CPU_ALLOCATOR_USE_BFC chooses
(tensorflow/core/common_runtime/process_state.cc, ProcessState::GetCPUAllocator).
"""

import math

EXAMPLES = 8  # of a small batch
WARM_UP = 2  # steps that make the function, the slots and the metrics


def of_model(model, batch, most, untold):
    """The examples of the batch, and the bytes of the step's peak: the variables, the batch and what the
    step makes, without what else the program has.

    batch is what observe.spec describes, of which most examples are taken, or all; what cannot be told
    raises untold.
    """
    import tensorflow as tf

    if batch is None or batch["kind"] != "tuple":
        raise untold("its batch is not known")
    sizes = []
    data = tuple(zeros(tf, item, most, sizes, untold) for item in batch["items"])
    initialise(tf, model)
    # The thread that waits may hold the lock of the function that there is.
    model.make_train_function(force=True)
    batches = tf.data.Dataset.from_tensors(data).repeat()
    for _ in range(WARM_UP):
        model.train_function(iter(batches))
    tf.config.experimental.reset_memory_stats("CPU:0")
    before = tf.config.experimental.get_memory_info("CPU:0")["current"]
    model.train_function(iter(batches))
    made = tf.config.experimental.get_memory_info("CPU:0")["peak"] - before
    return {"examples": sizes[0], "bytes": made + variables(model) + sum(round256(t.numpy().nbytes) for t in tf.nest.flatten(data) if t is not None)}


def initialise(tf, model):
    """Gives values to variables that are made in a trace, and have them only after it."""
    for v in model.variables:
        inner = getattr(v, "value", v)
        inner = v if callable(inner) else inner
        if not tf.raw_ops.VarIsInitializedOp(resource=inner.handle):
            inner.assign(tf.zeros(inner.shape, inner.dtype))


def zeros(tf, spec, most, sizes, untold):
    """A batch of zeros, as one that is described; sizes takes the number of its examples."""
    if spec is None or spec["kind"] == "none":
        return None
    if spec["kind"] == "tuple":
        return tuple(zeros(tf, s, most, sizes, untold) for s in spec["items"])
    if spec["kind"] == "mapping":
        return {name: zeros(tf, s, most, sizes, untold) for name, s in spec["items"].items()}
    shape = spec.get("shape")
    if not shape or None in shape or spec["dtype"] == "string":
        raise untold("its batch is not one of numbers whose shape is known")
    sizes.append(min(most or shape[0], shape[0]))
    return tf.zeros([sizes[-1], *shape[1:]], spec["dtype"])


def variables(model):
    """The bytes of a model's variables and of its optimizer's."""
    import tensorflow as tf

    of_optimizer = getattr(model.optimizer, "variables", ())
    found = {}
    for v in [*model.variables, *(of_optimizer() if callable(of_optimizer) else of_optimizer)]:
        found[id(getattr(v, "value", v) if not callable(getattr(v, "value", None)) else v)] = round256(math.prod(v.shape) * tf.as_dtype(v.dtype).size)
    return sum(found.values())


def round256(n):
    return -(-n // 256) * 256
