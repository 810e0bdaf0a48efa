"""Runs a training step of Keras on a small batch of zeros, and asks TensorFlow for the peak of its memory.

`tfmem probe --verify` uses it. On the processor TensorFlow tells that only of its best-fit allocator, the
one that GPUs have too, which TF_CPU_ALLOCATOR_USE_BFC chooses
(tensorflow/core/common_runtime/process_state.cc, ProcessState::GetCPUAllocator).
"""

import tfmem_trace as trace

EXAMPLES = 8  # of a small batch
WARM_UP = 2  # steps that make the function, the slots and the metrics


def of_model(model, batch, most):
    """The examples of the batch, and the bytes of the step's peak: the variables, the batch and what the
    step makes, without what else the program has.

    batch is what observe.spec describes, of which most examples are taken, or all if that is None.
    """
    import tensorflow as tf

    data = zeros(tf, trace.tensors(batch), most)
    parts = [t for t in tf.nest.flatten(data) if t is not None]
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
    return {"examples": int(parts[0].shape[0]), "bytes": made + sum(map(trace.bytes_of, trace.variables(model) + parts))}


def initialise(tf, model):
    """Gives values to variables that are made in a trace, and have them only after it."""
    for v in trace.variables(model):
        if not tf.raw_ops.VarIsInitializedOp(resource=v.handle):
            v.assign(tf.zeros(v.shape, v.dtype))


def zeros(tf, specs, most):
    """A batch of zeros, as one that is described."""
    if not isinstance(specs, tuple) or any(s is not None and (s.dtype == tf.string or not s.shape.rank) for s in tf.nest.flatten(specs)):
        raise trace.Untold("its batch is not one of numbers whose shape is known")
    return tf.nest.map_structure(lambda s: s if s is None else tf.zeros([min(most or s.shape[0], s.shape[0]), *s.shape[1:]], s.dtype), specs)
