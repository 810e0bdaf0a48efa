"""Traces a training step as a graph of TensorFlow, without running it, and writes the graph down: of
each operation its type, inputs, and the shapes and types of its outputs; no contents but those of a few
small constants that bound loops.

TensorFlow's own graph optimizer rewrites the graph first, as it does before a step runs. `tfmem probe`
uses it; analyzer/traced reads what it writes.
"""

import base64
import gzip
import json
import math

NODES = 100_000  # of all functions of a graph together
LIBRARIES = ("keras", "tf_keras", "tensorflow")
SIZE = 4 << 20  # bytes of what is written
VALUES = 8  # numbers of a constant that is told
TEXT = 256  # characters
CHAIN = 64  # operations that hand a list on
DEVICE = "/job:localhost/replica:0/task:0/device:CPU:0"
# Attributes that are told, where an operation has them.
NUMBERS = ("axis", "keep_dims", "begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask", "is_training", "training")
FUNCTIONS = ("body", "cond", "f", "then_branch", "else_branch")


class Untold(Exception):
    """Why a step is not told."""


def of_model(model, batch):
    """The step of fit on a batch that observe.spec describes."""
    import tensorflow as tf

    # As Keras calls it: Keras 3 does not let TensorFlow rewrite its Python, tf_keras does.
    step = tf.function(model.train_step, autograph=not is_keras3(model), jit_compile=False)
    graph = step.get_concrete_function(tensors(batch)).graph
    return {**of_graph(graph), "unread": unread(model, graph), **weights(model.weights, model.trainable_weights), "optimizer": type(model.optimizer).__name__}


def weights(all_, trained):
    """How many numbers there are in weights, and in those that are trained, and the bytes of all."""
    return {
        "parameters": sum(math.prod(v.shape) for v in all_),
        "trainable": sum(math.prod(v.shape) for v in trained),
        "weights": sum(bytes_of(v) for v in all_),
    }


def bytes_of(variable):
    import tensorflow as tf

    return round256(math.prod(variable.shape) * tf.as_dtype(variable.dtype).size)


def tensors(spec):
    """The specs of TensorFlow that a described batch has."""
    import tensorflow as tf

    if spec is None or spec["kind"] == "none":
        return None
    if spec["kind"] == "tuple":
        return tuple(tensors(s) for s in spec["items"])
    if spec["kind"] == "mapping":
        return {name: tensors(s) for name, s in spec["items"].items()}
    if spec.get("shape") is None or None in spec["shape"]:
        raise Untold("the shape of its batch is not known")
    return tf.TensorSpec(spec["shape"], spec["dtype"])


def is_keras3(model):
    return any(c.__module__.startswith("keras.src.trainers.") for c in type(model).__mro__)


def said_by_configuration(model):
    """Whether a model's configuration says all of its step: it is made of Keras's own layers and trains
    as Keras does."""
    own = [c for c in type(model).__mro__ if root(c) not in LIBRARIES and c is not object]
    layers = list(getattr(model, "_flatten_layers", lambda: [None])())
    parts = [model.optimizer, model.loss if not isinstance(model.loss, str) else None, *layers]
    return type(model).__name__ in ("Functional", "Sequential") and not own and all(p is None or root(type(p)) in LIBRARIES for p in parts)


def root(cls):
    return (cls.__module__ or "").partition(".")[0]


def unread(model, graph):
    """The bytes of the variables that are there beside those that the step reads."""
    known = {id(outer) for outer, _ in graph.captures}
    return sum(bytes_of(v) for v in variables(model) if id(v.handle) not in known)


def variables(model):
    """TensorFlow's variables of a model and of its optimizer, each once."""
    optimizer = getattr(model.optimizer, "variables", ())
    found = {}
    for v in [*model.variables, *(optimizer() if callable(optimizer) else optimizer)]:
        inner = getattr(v, "value", v)
        inner = v if callable(inner) else inner
        found[id(inner.handle)] = inner
    return list(found.values())


def round256(n):
    return -(-n // 256) * 256


def of_graph(graph):
    """A traced step's graph, as it runs."""
    return Writer(*tf_graph(graph)).written()


def tf_graph(step):
    """The graph with its variables, once TensorFlow's optimizer has rewritten it."""
    import tensorflow as tf

    captured = {inner.name: outer for outer, inner in step.captures}
    with tf.Graph().as_default() as copy:
        replaced, inputs = {}, []
        for i, inner in enumerate(step.inputs):
            outer = captured.get(inner.name)
            if inner.dtype == tf.resource:
                made = variable(inner if outer is None else outer, i)
            else:
                shape = inner.shape if outer is None else outer.shape
                made = tf.raw_ops.Placeholder(dtype=inner.dtype, shape=shape, name=f"tfmem_argument_{i}")
            replaced[inner.name] = made
            inputs.append(made)
        ends = [t.op.name for t in step.outputs] + [op.name for op in step.control_outputs]
        ends = [name for name in dict.fromkeys(ends) if name + ":0" not in replaced]
        fetches = tf.import_graph_def(step.as_graph_def(), input_map=replaced, name="", return_elements=ends)
    optimized = optimize(copy, fetches)
    shape_variables(optimized)
    with tf.Graph().as_default() as out:
        tf.import_graph_def(optimized, name="")
    return out, {f.signature.name: f for f in optimized.library.function}


def shape_variables(graph):
    """Says the shapes of variables that operations ask for behind a loop, which hands variables on and
    does not say which: so the first sums of gradients are made."""
    import tensorflow as tf

    nodes = {node.name: node for node in graph.node}
    for node in graph.node:
        if node.op != "VariableShape":
            continue
        handle, waits = node.input[0], []
        for _ in range(CHAIN):
            name, _, output = handle.partition(":")
            of = nodes[name]
            if of.op not in ("While", "StatelessWhile", "Identity"):
                break
            waits.append("^" + name)
            handle = of.input[int(output or 0)]
        if of.op == "VarHandleOp":
            shape = tf.TensorShape(of.attr["shape"].shape)
            if shape.is_fully_defined():
                out = tf.as_dtype(node.attr["out_type"].type or tf.int32.as_datatype_enum)
                waits += [i for i in node.input if i.startswith("^")]
                node.op = "Const"
                del node.input[:]
                node.input.extend(dict.fromkeys(waits))
                node.attr.clear()
                node.attr["dtype"].type = out.as_datatype_enum
                node.attr["value"].tensor.CopyFrom(tf.make_tensor_proto(shape.as_list(), out))


def variable(handle, i):
    import tensorflow as tf

    data = getattr(handle, "_handle_data", None)
    of = data.shape_and_type if data is not None and data.is_set else []
    if len(of) != 1:
        return tf.raw_ops.Placeholder(dtype=tf.resource, shape=[], name=f"tfmem_resource_{i}")
    return tf.raw_ops.VarHandleOp(dtype=of[0].dtype, shape=tf.TensorShape(of[0].shape), shared_name=f"tfmem_variable_{i}", name=f"tfmem_variable_{i}")


def optimize(graph, fetches):
    """The graph as TensorFlow's optimizer rewrites it for a CPU, on which nothing runs."""
    from tensorflow.core.protobuf import config_pb2, device_properties_pb2, meta_graph_pb2
    from tensorflow.python.grappler import cluster as clusters
    from tensorflow.python.grappler import tf_optimizer

    told = meta_graph_pb2.MetaGraphDef()
    told.graph_def.CopyFrom(graph.as_graph_def(add_shapes=True))
    nodes = [node for node in told.graph_def.node if node.op != "Placeholder" or node.name.startswith("tfmem_")]  # others were replaced
    del told.graph_def.node[:]
    told.graph_def.node.extend(nodes)
    for node in told.graph_def.node:
        node.device = DEVICE
    for node in [*told.graph_def.node, *(n for f in told.graph_def.library.function for n in f.node_def)]:
        if node.op in ("While", "StatelessWhile"):  # it stays one operation
            node.attr.pop("_lower_using_switch_merge", None)
    told.collection_def["train_op"].node_list.value.extend(op.name for op in fetches)
    device = device_properties_pb2.NamedDevice(name=DEVICE)
    device.properties.type, device.properties.num_cores, device.properties.frequency = "CPU", 1, 2000
    device.properties.memory_size = 16 << 30
    config = config_pb2.ConfigProto()
    config.graph_options.rewrite_options.min_graph_nodes = -1
    cluster = clusters.Cluster(devices=[device])
    try:
        return tf_optimizer.OptimizeGraph(config, told, verbose=False, cluster=cluster)
    finally:
        cluster.Shutdown()


class Writer:
    """Writes a graph and its functions."""

    def __init__(self, graph, library):
        self.graph, self.library = graph, library
        self.types, self.dtypes, self.functions = {}, {}, {}
        self.results = {}  # of functions: the outputs of their graphs
        self.left = NODES

    def written(self):
        main = self.nodes(self.graph)
        said = {"types": list(self.types), "dtypes": list(self.dtypes), "nodes": main, "functions": self.functions}
        packed = base64.b64encode(gzip.compress(json.dumps(said, separators=(",", ":")).encode(), 9, mtime=0)).decode()
        if len(packed) > SIZE:
            raise Untold(f"its graph takes more than {SIZE >> 20} MiB")
        return {"graph": packed}

    def nodes(self, graph):
        """[type, inputs, outputs, attributes] of each operation. An input is the number of an operation,
        [number, output] of another output than the first, or -1 - number where it is only waited for."""
        found, replaced = operations(graph), getattr(graph, "tfmem_replaced", {})
        self.left -= len(found)
        if self.left < 0:
            raise Untold(f"its graph has more than {NODES} operations")
        numbers = {op.name: i for i, op in enumerate(found)}
        if any(op.type in ("NextIteration", "RefNextIteration") for op in found):
            raise Untold("it has a loop of TensorFlow 1")
        out = []
        for op in found:
            inputs = [numbers[t.op.name] if t.value_index == 0 else [numbers[t.op.name], t.value_index] for t in op.inputs]
            inputs += [-1 - numbers[replaced.get(c.name, c.name)] for c in op.control_inputs]
            outputs = [self.tensor(t) for t in op.outputs]
            node = [self.number(self.types, op.type), inputs, outputs]
            attributes = self.attributes(graph, op)
            if attributes:
                node.append(attributes)
            out.append(node)
        return out

    def number(self, known, name):
        return known.setdefault(name, len(known))

    def tensor(self, t):
        shape = t.shape
        dims = [-1 if n is None else n for n in shape.as_list()] if shape.rank is not None else [-2]
        return [self.number(self.dtypes, t.dtype.base_dtype.name), *dims]

    def attributes(self, graph, op):
        import tensorflow as tf

        out = {}
        node = op.node_def
        if op.type == "VarHandleOp":
            shape = tf.TensorShape(node.attr["shape"].shape)
            out["variable"] = [self.number(self.dtypes, tf.as_dtype(node.attr["dtype"].type).name), *shape.as_list()]
        elif op.type == "Const":
            t = node.attr["value"].tensor
            n = math.prod(d.size for d in t.tensor_shape.dim)
            if n <= VALUES and tf.as_dtype(t.dtype).name in ("int32", "int64"):
                out["value"] = [int(v) for v in tf.make_ndarray(t).reshape(-1)]
        for name in NUMBERS:
            if name in node.attr:
                value = node.attr[name]
                kind = value.WhichOneof("value")
                if kind in ("i", "b"):
                    out[name] = int(getattr(value, kind))
        if "equation" in node.attr:
            out["equation"] = node.attr["equation"].s.decode()[:TEXT]
        if "element_dtype" in node.attr:
            out["element"] = self.number(self.dtypes, tf.as_dtype(node.attr["element_dtype"].type).name)
        for name in FUNCTIONS:
            if name in node.attr and node.attr[name].WhichOneof("value") == "func":
                out[name] = self.function(graph, node.attr[name].func.name, [t.shape for t in op.inputs], op)
        return out

    def function(self, graph, name, shapes, op):
        from tensorflow.python.framework import function_def_to_graph

        if name not in self.functions:
            self.functions[name] = None
            definition = self.library[name]  # the context of eager execution may know another of that name
            if len(shapes) > len(definition.signature.input_arg):  # the condition of an If
                shapes = shapes[len(shapes) - len(definition.signature.input_arg):]
            body = function_def_to_graph.function_def_to_graph(definition, shapes)
            graph, inputs, outputs = self.refer(body, list(op.inputs)[len(op.inputs) - len(body.inputs):])
            self.results[name] = outputs
            numbers = {o.name: i for i, o in enumerate(operations(graph))}
            self.functions[name] = {
                "nodes": self.nodes(graph),
                "inputs": [numbers[t.op.name] for t in inputs],
                "outputs": [[numbers[t.op.name], t.value_index] for t in outputs],
            }
        return name

    def refer(self, body, given):
        """The graph of a body, its inputs and its outputs, once its inputs know what variables and what
        lists of tensors they refer to, such as a loop of gradients the lists that its loop has made.
        A FunctionDef does not say it."""
        import tensorflow as tf
        from tensorflow.python.ops import handle_data_util

        told = [self.referred(t) for t in given]
        if all(data is None for data in told):
            return body, body.inputs, body.outputs
        with tf.Graph().as_default() as out:
            inputs = []
            for i, (t, data) in enumerate(zip(body.inputs, told, strict=True)):
                made = tf.raw_ops.Placeholder(dtype=t.dtype, shape=t.shape, name=f"tfmem_input_{i}")
                if data is not None:
                    handle_data_util.set_handle_data(made, data)
                inputs.append(made)
            replaced = {t.name: made for t, made in zip(body.inputs, inputs, strict=True)}
            outputs = tf.import_graph_def(body.as_graph_def(), input_map=replaced, name="", return_elements=[t.name for t in body.outputs])
        out.tfmem_replaced = {t.op.name: made.op.name for t, made in zip(body.inputs, inputs, strict=True)}
        return out, inputs, [replaced.get(t.name, t) for t in outputs]

    def referred(self, t):
        """What a variable or a list of tensors refers to, or None if that is not known."""
        import tensorflow as tf
        from tensorflow.python.ops import handle_data_util

        for _ in range(CHAIN):
            if t.dtype not in (tf.resource, tf.variant):
                return None
            data = handle_data_util.get_resource_handle_data(t)
            if data.is_set and all(tf.TensorShape(of.shape).is_fully_defined() for of in data.shape_and_type):
                return data
            op = t.op
            called = next((op.node_def.attr[f].func.name for f in ("body", "f") if f in op.node_def.attr), None)
            if called in self.results:
                made = self.referred(self.results[called][t.value_index])
                if made is not None:
                    return made
            if op.type in ("While", "StatelessWhile"):
                t = op.inputs[t.value_index]
            elif op.inputs and (op.type == "Identity" or op.type.startswith("TensorList")):
                t = op.inputs[0]
            else:
                return None
        return None


def operations(graph):
    """The operations of a graph, but those whose results others stand for."""
    replaced = getattr(graph, "tfmem_replaced", ())
    return [op for op in graph.get_operations() if op.name not in replaced]
