"""Records what public TensorFlow names do to the device runtime.

    python record.py > tensorflow-<version>-keras-<version>.json
    TF_USE_LEGACY_KERAS=1 python record.py > tensorflow-<version>-tf_keras-<version>.json
    python record.py --onto FILE [--only REGEX] [--seconds N]
                                    only the rows that FILE lacks (with names that match, as
                                    many as N seconds allow), added to it
    python record.py --spawn 10     only every tenth row, each in a fresh interpreter,
                                    to check that forking changes nothing

Every row runs in a child of its own, forked from a parent that has imported
TensorFlow and initialised nothing. Three things are asked of each expression:

initialises      the eager context came to life, so tf.config's setters raise;
creates_devices  the C++ runtime built devices. On a machine with a GPU that
                 builds the GPU's allocator too, even where no setter raises.
                 null: this build does not log it (2.10);
queries_cuda     the CUDA driver was asked for its devices, after which
                 CUDA_VISIBLE_DEVICES no longer matters. null: not observable
                 here (a real driver is present, or this build does not log it).

A row whose setup already initialised, or built devices, claims nothing about
that property of its expression.
"""

import contextlib
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# LocalDevice's constructor logs at level 1. It is the only trace which device
# creation leaves on every platform; must be set before TensorFlow is loaded.
os.environ["TF_CPP_VMODULE"] = "local_device=1"
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "0"
# A cluster description in the environment would change the strategies' rows.
os.environ.pop("TF_CONFIG", None)

DEVICES_LOG = "local_device.cc"
CUDA_LOG = re.compile(r"cuInit|libcuda\.so")
TIMEOUT_SECONDS = 120
LONGEST_MESSAGE = 700

ROWS = []
RAISES = []


def row(name, expression, setup="", case=""):
    ROWS.append({"name": "tensorflow." + name, "case": case, "setup": setup, "expression": expression})


def raises(case, expression, setup=""):
    RAISES.append({"case": case, "setup": setup, "expression": expression})


def simple(prefix, names, call="{prefix}.{name}()"):
    """Rows for names which all are called in the same way."""
    for name in names.split():
        row(f"{prefix}.{name}", call.format(prefix="tf." + prefix, name=name))


# --- tensors and operations ---------------------------------------------------

for name, arguments in [
    ("constant", "1"), ("convert_to_tensor", "1"), ("zeros", "3"), ("ones", "3"), ("fill", "[2], 1"),
    ("range", "3"), ("eye", "2"), ("linspace", "0., 1., 3"), ("zeros_like", "[1]"), ("ones_like", "[1]"),
    ("identity", "1"), ("cast", "1, tf.float32"), ("reshape", "[1, 2], [2, 1]"), ("add", "1, 2"),
    ("matmul", "[[1.]], [[1.]]"), ("concat", "[[1], [2]], 0"), ("stack", "[1, 2]"), ("one_hot", "[0], 2"),
    ("reduce_sum", "[1, 2]"), ("expand_dims", "1, 0"), ("shape", "[1]"), ("print", "'x'"), ("cond", "True, lambda: 1, lambda: 2"),
    ("while_loop", "lambda i: i < 2, lambda i: (i + 1,), (0,)"), ("map_fn", "lambda x: x, np.ones(2)"),
    ("py_function", "lambda: 1, [], tf.int32"), ("numpy_function", "lambda: np.int32(1), [], tf.int32"),
    ("Variable", "1.0"), ("TensorArray", "tf.float32, size=1"), ("TensorShape", "[1, 2]"), ("TensorSpec", "[1], tf.float32"),
    ("as_dtype", "'float32'"), ("get_static_value", "np.ones(2)"), ("is_tensor", "1"), ("ragged.constant", "[[1], [2, 3]]"),
    ("RaggedTensor.from_row_lengths", "[1, 2, 3], [1, 2]"), ("sparse.SparseTensor", "[[0]], [1], [1]"), ("SparseTensor", "[[0]], [1], [1]"),
    ("IndexedSlices", "np.ones(1), np.zeros(1)"), ("constant_initializer", "1"), ("random_normal_initializer", ""),
    ("zeros_initializer", ""), ("Module", ""), ("name_scope", "'x'"), ("Graph", ""), ("executing_eagerly", ""),
    ("init_scope", ""), ("control_dependencies", "None"), ("no_op", ""), ("group", ""), ("timestamp", ""),
    ("lookup.StaticHashTable", "tf.lookup.KeyValueTensorInitializer(['a'], [1]), 0"),
    ("lookup.KeyValueTensorInitializer", "['a'], [1]"), ("stop_gradient", "1.0"), ("custom_gradient", "lambda x: x"),
    ("recompute_grad", "lambda x: x"), ("broadcast_to", "1, [2]"), ("where", "[True]"), ("gather", "[1], [0]"),
    ("tile", "[1], [2]"), ("squeeze", "[1]"), ("split", "[1, 2], 2"), ("pad", "[1], [[0, 1]]"), ("boolean_mask", "[1], [True]"),
    ("clip_by_value", "1., 0., 1."), ("einsum", "'i->', np.ones(1)"), ("argmax", "[1]"), ("transpose", "[[1]]"), ("unstack", "[1]"),
    ("math.add", "1, 2"), ("math.reduce_mean", "[1.]"), ("nn.relu", "1.0"), ("nn.softmax", "[1.0]"), ("nn.conv2d", "np.ones((1, 3, 3, 1), 'float32'), np.ones((1, 1, 1, 1), 'float32'), 1, 'SAME'"),
    ("linalg.inv", "[[1.]]"), ("signal.fft", "[1+0j]"), ("strings.join", "['a']"), ("strings.length", "'a'"),
    ("image.resize", "np.ones((1, 2, 2, 3)), [1, 1]"), ("image.decode_image", "b''"), ("image.decode_jpeg", "b''"), ("image.flip_left_right", "np.ones((1, 1, 3))"),
    ("image.convert_image_dtype", "np.ones((1, 1, 3)), tf.float16"), ("image.random_flip_left_right", "np.ones((1, 1, 3))"),
    ("image.rgb_to_grayscale", "np.ones((1, 1, 3))"), ("audio.decode_wav", "b''"),
    ("io.read_file", "FIXTURES + '/text.txt'"), ("io.write_file", "FIXTURES + '/written.txt', 'x'"), ("io.decode_raw", "b'1', tf.uint8"),
    ("io.decode_image", "b''"), ("io.decode_jpeg", "b''"), ("io.parse_single_example", "tf.train.Example().SerializeToString(), {'x': tf.io.FixedLenFeature([], tf.float32, 0.0)}"),
    ("io.FixedLenFeature", "[], tf.float32"), ("io.serialize_tensor", "1"), ("io.matching_files", "FIXTURES + '/*.txt'"),
    ("io.TFRecordWriter", "FIXTURES + '/written.tfrecord'"), ("io.gfile.exists", "FIXTURES"), ("io.gfile.glob", "FIXTURES + '/*.txt'"), ("io.gfile.GFile", "FIXTURES + '/text.txt'"),
    ("train.Example", ""), ("train.Feature", ""), ("data.TFRecordDataset", "FIXTURES + '/x.tfrecord'"), ("data.TextLineDataset", "FIXTURES + '/text.txt'"),
    ("data.FixedLengthRecordDataset", "FIXTURES + '/text.txt', 1"), ("data.Options", ""),
    ("data.experimental.make_csv_dataset", "FIXTURES + '/text.csv', 1, label_name='y', num_epochs=1"), ("data.experimental.CsvDataset", "FIXTURES + '/text.csv', [tf.float32]"),
    ("data.experimental.Counter", ""), ("data.experimental.enable_debug_mode", ""),
]:
    row(name, f"tf.{name}({arguments})")

# --- random numbers -------------------------------------------------------------

for name, arguments in [
    ("random.set_seed", "1"), ("random.normal", "[1]"), ("random.uniform", "[1]"), ("random.truncated_normal", "[1]"), ("random.shuffle", "[1]"),
    ("random.categorical", "[[1.]], 1"), ("random.gamma", "[1], 1.0"), ("random.stateless_normal", "[1], [1, 2]"), ("random.stateless_uniform", "[1], [1, 2]"),
    ("random.experimental.stateless_split", "[1, 2]"), ("random.Generator.from_seed", "1"), ("random.Generator.from_non_deterministic_state", ""),
    ("random.get_global_generator", ""), ("random.create_rng_state", "1, 'philox'"),
]:
    row(name, f"tf.{name}({arguments})")
row("random.set_global_generator", "tf.random.set_global_generator(tf.random.Generator.from_seed(1))")
row("compat.v1.set_random_seed", "v1.set_random_seed(1)")

# --- tf.data --------------------------------------------------------------------

for name, arguments in [
    ("from_tensor_slices", "[1, 2]"), ("from_tensors", "[1, 2]"), ("range", "3"), ("list_files", "FIXTURES + '/*.txt'"), ("random", ""),
    ("load", "FIXTURES + '/dataset'"), ("counter", ""),
]:
    row("data.Dataset." + name, f"tf.data.Dataset.{name}({arguments})")
row("data.Dataset.from_tensor_slices", "tf.data.Dataset.from_tensor_slices(np.ones(3))", case="ndarray")
row("data.Dataset.from_generator", "tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int32))")
row("data.Dataset.from_generator", "tf.data.Dataset.from_generator(lambda: iter([1]), tf.int32)", case="output types")
# A source made in a graph is the only way to reach a transformation without an
# initialised context: in eager mode every source initialises in the setup.
for call in ["batch(1)", "map(lambda x: x)", "shuffle(2)", "repeat()", "prefetch(1)", "cache()", "take(1)", "skip(1)", "filter(lambda x: True)",
             "padded_batch(1)", "batch(1).unbatch()", "interleave(lambda x: tf.data.Dataset.range(1))", "window(2)", "enumerate()", "with_options(tf.data.Options())",
             "apply(lambda d: d)", "shard(1, 0)", "concatenate(tf.data.Dataset.range(1))", "cardinality()", "as_numpy_iterator()", "__iter__()"]:
    name = "unbatch" if "unbatch" in call else call.partition("(")[0]
    row("data.Dataset." + name, "d." + call, "d = tf.data.Dataset.range(3)")
    row("data.Dataset." + name, f"with g.as_default(): d.{call}", "g = tf.Graph()\nwith g.as_default(): d = tf.data.Dataset.range(3)", case="in a graph")
row("data.Dataset.element_spec", "d.element_spec", "d = tf.data.Dataset.range(3)")
row("data.experimental.cardinality", "tf.data.experimental.cardinality(d)", "d = tf.data.Dataset.range(3)")

# --- tf.config ------------------------------------------------------------------

for name, arguments in [
    ("list_physical_devices", ""), ("list_physical_devices", "'GPU'"), ("list_logical_devices", ""), ("list_logical_devices", "'GPU'"), ("get_visible_devices", ""),
    ("get_soft_device_placement", ""), ("set_soft_device_placement", "True"), ("run_functions_eagerly", "True"), ("functions_run_eagerly", ""),
    ("threading.set_inter_op_parallelism_threads", "1"), ("threading.get_inter_op_parallelism_threads", ""), ("threading.set_intra_op_parallelism_threads", "1"),
    ("optimizer.set_jit", "True"), ("optimizer.get_jit", ""), ("optimizer.set_experimental_options", "{}"), ("optimizer.get_experimental_options", ""), ("experimental_connect_to_cluster", "tf.train.ClusterSpec({})"),
    ("experimental.list_physical_devices", ""), ("experimental.list_logical_devices", ""), ("experimental.get_visible_devices", ""),
    ("experimental.get_synchronous_execution", ""), ("experimental.set_synchronous_execution", "True"), ("experimental.get_device_policy", ""), ("experimental.set_device_policy", "'silent'"),
    ("experimental.enable_mlir_bridge", ""), ("experimental.disable_mlir_bridge", ""), ("experimental.enable_tensor_float_32_execution", "False"), ("experimental.tensor_float_32_execution_enabled", ""),
    ("experimental.enable_op_determinism", ""), ("experimental.get_memory_info", "'CPU:0'"), ("experimental.get_memory_info", "'GPU:0'"), ("experimental.get_memory_usage", "'GPU:0'"),
    ("experimental.reset_memory_stats", "'CPU:0'"), ("experimental.reset_memory_stats", "'GPU:0'"), ("experimental.ClusterDeviceFilters", ""), ("experimental.VirtualDeviceConfiguration", "1"), ("LogicalDeviceConfiguration", "1"),
]:
    row("config." + name, f"tf.config.{name}({arguments})", case=arguments if name.split(".")[-1] in ("list_physical_devices", "list_logical_devices", "get_memory_info", "reset_memory_stats") else "")
CPUS = "cpus = tf.config.list_physical_devices('CPU')"
for name, arguments in [
    ("get_logical_device_configuration", "cpus[0]"), ("set_logical_device_configuration", "cpus[0], [tf.config.LogicalDeviceConfiguration()]"), ("set_visible_devices", "cpus"), ("set_visible_devices", "[], 'GPU'"),
    ("experimental.get_virtual_device_configuration", "cpus[0]"), ("experimental.set_virtual_device_configuration", "cpus[0], [tf.config.experimental.VirtualDeviceConfiguration()]"), ("experimental.set_visible_devices", "cpus"),
    ("experimental.get_device_details", "cpus[0]"), ("experimental.get_memory_growth", "cpus[0]"), ("experimental.set_memory_growth", "cpus[0], True"),
]:
    row("config." + name, f"tf.config.{name}({arguments})", CPUS, case="no GPU" if "[]" in arguments else "")

# --- placement, tapes, functions --------------------------------------------------

row("device", "tf.device('/CPU:0')", case="constructed")
row("device", "with tf.device('/CPU:0'): pass", case="entered")
row("device", "with tf.device('/GPU:0'): pass", case="entered, GPU")
row("device", "with tf.device(None): pass", case="entered, None")
row("device", "with tf.device(''): pass", case="entered, empty string")
row("GradientTape", "tf.GradientTape()", case="constructed")
row("GradientTape", "with tf.GradientTape(persistent=True): pass", case="entered")
row("GradientTape.gradient", "t.gradient(None, [])", "with tf.GradientTape() as t: pass")
row("GradientTape.watch", "t.watch(1.0)", "t = tf.GradientTape(); t.__enter__()", case="a Python number")
row("autodiff.ForwardAccumulator", "tf.autodiff.ForwardAccumulator([], [])")
row("function", "@tf.function\ndef f(x): return x + 1", case="defined")
row("function", "f = tf.function(lambda x: x + 1, input_signature=[tf.TensorSpec([], tf.float32)])", case="defined with a signature")
row("function", "@tf.function(jit_compile=True)\ndef f(x): return x + 1", case="defined with jit_compile")
row("function", "f(1)", "f = tf.function(lambda x: x)", case="called")
row("function", "f()", "f = tf.function(lambda: None)", case="called, empty body")
row("function.get_concrete_function", "f.get_concrete_function()", "f = tf.function(lambda x: x, input_signature=[tf.TensorSpec([], tf.float32)])")

# --- graphs and TF1 -----------------------------------------------------------------

GRAPH_EXPRESSIONS = ["tf.constant(1)", "tf.Variable(1.0)", "tf.random.normal([1])", "tf.io.read_file('x')", "tf.data.Dataset.range(3)", "tf.keras.layers.Dense(1)",
                     "tf.keras.optimizers.Adam()", "with tf.device('/GPU:0'): tf.constant(1)", "tf.keras.layers.Dense(1)(v1.placeholder(tf.float32, [None, 1]))", "v1.global_variables_initializer()",
                     "tf.data.Dataset.range(3).map(lambda x: x)", "tf.function(lambda: tf.constant(1))()", "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])", "tf.keras.layers.Dropout(0.5)"]
for expression in GRAPH_EXPRESSIONS:
    row("Graph.as_default", f"with tf.Graph().as_default():\n {expression}", case=expression)
    row("compat.v1.disable_eager_execution", expression, "v1.disable_eager_execution()", case="then " + expression)
    row("compat.v1.disable_v2_behavior", expression, "v1.disable_v2_behavior()", case="then " + expression)
# Only tf-keras still has a graph mode; Keras 3 raises or runs eagerly.
row("compat.v1.disable_eager_execution", "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))]).predict(np.ones((1, 1)))", "v1.disable_eager_execution()", case="then Model.predict")
for name, arguments in [
    ("Session", ""), ("InteractiveSession", ""), ("ConfigProto", ""), ("GPUOptions", ""), ("disable_eager_execution", ""), ("disable_v2_behavior", ""), ("enable_eager_execution", ""), ("enable_v2_behavior", ""),
    ("train.MonitoredTrainingSession", ""), ("train.MonitoredSession", ""), ("train.SingularMonitoredSession", ""), ("train.ChiefSessionCreator", ""), ("get_default_graph", ""), ("reset_default_graph", ""),
    ("placeholder", "tf.float32"), ("get_variable", "'x', []"), ("logging.set_verbosity", "0"), ("global_variables_initializer", ""), ("train.get_or_create_global_step", ""), ("train.Saver", "[]"),
    ("train.AdamOptimizer", ""), ("estimator.Estimator", "lambda features: None, FIXTURES + '/estimator'"), ("estimator.RunConfig", ""), ("keras.backend.set_session", "None"), ("keras.backend.get_session", ""), ("layers.dense", "np.ones((1, 1), 'float32'), 1"),
]:
    row("compat.v1." + name, f"v1.{name}({arguments})")
row("compat.v1.Session", "v1.Session(config=v1.ConfigProto())", case="config")
row("compat.v1.Session", "v1.Session()", "v1.disable_eager_execution()", case="eager disabled")
row("compat.v1.InteractiveSession", "v1.InteractiveSession(config=v1.ConfigProto())", case="config")
row("compat.v1.Session.run", "s.run(c)", "g = tf.Graph()\nwith g.as_default(): c = tf.constant(1)\ns = v1.Session(graph=g)")
row("compat.v1.Session.list_devices", "s.list_devices()", "s = v1.Session()")
row("compat.v1.train.MonitoredTrainingSession", "with tf.Graph().as_default():\n with v1.train.MonitoredTrainingSession(): pass", case="in a graph")
row("compat.v1.train.MonitoredTrainingSession", "v1.train.MonitoredTrainingSession()", "v1.disable_eager_execution()", case="eager disabled")
row("compat.v1.train.MonitoredSession", "with tf.Graph().as_default():\n with v1.train.MonitoredSession(): pass", case="in a graph")
row("compat.v1.train.SingularMonitoredSession", "with tf.Graph().as_default():\n with v1.train.SingularMonitoredSession(): pass", case="in a graph")
row("compat.v1.train.Supervisor", "v1.train.Supervisor(logdir=None)")
row("compat.v1.train.Supervisor", "with tf.Graph().as_default(): v1.train.Supervisor(logdir=None)", case="in a graph")
for name in ["managed_session", "prepare_or_wait_for_session"]:
    row("compat.v1.train.Supervisor." + name, f"with graph.as_default(), sv.{name}(): pass", "graph = tf.Graph()\nwith graph.as_default(): sv = v1.train.Supervisor(logdir=None)")
row("compat.v1.train.SessionManager", "v1.train.SessionManager()")
for name, arguments in [("prepare_session", ", init_op=init"), ("recover_session", ""), ("wait_for_session", "")]:
    row("compat.v1.train.SessionManager." + name, f"with graph.as_default(): v1.train.SessionManager().{name}(''{arguments})", "graph = tf.Graph()\nwith graph.as_default(): init = tf.no_op()")
row("compat.v1.train.ChiefSessionCreator", "with tf.Graph().as_default(): v1.train.ChiefSessionCreator().create_session()", case="create_session")
row("compat.v1.keras.backend.get_session", "v1.keras.backend.get_session()", "v1.disable_eager_execution()", case="eager disabled")
row("estimator.Estimator", "tf.estimator.Estimator(lambda features: None, FIXTURES + '/estimator')")
row("python.client.device_lib.list_local_devices", "from tensorflow.python.client import device_lib; device_lib.list_local_devices()")
row("test.gpu_device_name", "tf.test.gpu_device_name()")
row("test.is_gpu_available", "tf.test.is_gpu_available()")
simple("test", "is_built_with_cuda is_built_with_gpu_support is_built_with_rocm is_built_with_xla TestCase")
simple("sysconfig", "get_build_info get_include get_lib")

# --- distribution --------------------------------------------------------------------

for name, arguments in [
    ("MirroredStrategy", ""), ("MirroredStrategy", "['/CPU:0']"), ("OneDeviceStrategy", "'/CPU:0'"), ("OneDeviceStrategy", "'/GPU:0'"), ("MultiWorkerMirroredStrategy", ""), ("experimental.MultiWorkerMirroredStrategy", ""),
    ("experimental.CentralStorageStrategy", ""), ("get_strategy", ""), ("has_strategy", ""), ("get_replica_context", ""), ("in_cross_replica_context", ""), ("NcclAllReduce", ""), ("HierarchicalCopyAllReduce", ""),
    ("ReductionToOneDevice", ""), ("cluster_resolver.TFConfigClusterResolver", ""), ("cluster_resolver.SimpleClusterResolver", "tf.train.ClusterSpec({})"), ("cluster_resolver.TPUClusterResolver", "''"), ("InputOptions", ""), ("RunOptions", ""),
    ("experimental.CommunicationOptions", ""), ("Server", "{'worker': ['localhost:0']}, start=False"),
]:
    row("distribute." + name, f"tf.distribute.{name}({arguments})", case=arguments if name.endswith("Strategy") else "")
for name in ("ParameterServerStrategy", "experimental.ParameterServerStrategy"):
    row("distribute." + name, f"tf.distribute.{name}(resolver)", """
import socket
def port():
    s = socket.socket(); s.bind(('localhost', 0)); p = s.getsockname()[1]; s.close(); return p
spec = {'worker': ['localhost:%d' % port()], 'ps': ['localhost:%d' % port()]}
import os
# The servers live in children, so that only the coordinator is observed here.
for job in spec:
    if os.fork() == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2); tf.distribute.Server(spec, job_name=job, task_index=0); import time; time.sleep(100); os._exit(0)
resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(tf.train.ClusterSpec(spec), rpc_layer='grpc')
""".strip())
row("distribute.Strategy.scope", "with tf.distribute.get_strategy().scope(): pass", case="default strategy")
row("distribute.Strategy.scope", "with s.scope(): pass", "s = tf.distribute.OneDeviceStrategy('/CPU:0')", case="OneDeviceStrategy")
row("distribute.Strategy.num_replicas_in_sync", "tf.distribute.get_strategy().num_replicas_in_sync", case="default strategy")
row("train.ClusterSpec", "tf.train.ClusterSpec({})")

# --- saving, summaries, debugging, profiling --------------------------------------------

for name, arguments in [
    ("train.Checkpoint", ""), ("train.latest_checkpoint", "FIXTURES"), ("train.list_variables", "FIXTURES + '/checkpoint-1'"), ("train.load_checkpoint", "FIXTURES + '/checkpoint-1'"), ("train.load_variable", "FIXTURES + '/checkpoint-1', 'save_counter/.ATTRIBUTES/VARIABLE_VALUE'"),
    ("train.ExponentialMovingAverage", "0.9"), ("train.Coordinator", ""), ("saved_model.load", "FIXTURES + '/saved_model'"), ("saved_model.save", "tf.Module(), FIXTURES + '/written_model'"), ("saved_model.contains_saved_model", "FIXTURES"), ("saved_model.LoadOptions", ""),
    ("summary.create_file_writer", "FIXTURES + '/logs'"), ("summary.create_noop_writer", ""), ("summary.scalar", "'x', 1.0, step=1"), ("summary.trace_on", ""), ("summary.experimental.set_step", "1"), ("summary.should_record_summaries", ""),
    ("debugging.set_log_device_placement", "True"), ("debugging.get_log_device_placement", ""), ("debugging.enable_check_numerics", ""), ("debugging.disable_check_numerics", ""), ("debugging.assert_equal", "1, 1"), ("debugging.check_numerics", "1.0, ''"),
    ("debugging.experimental.enable_dump_debug_info", "FIXTURES + '/dump'"), ("debugging.enable_traceback_filtering", ""), ("debugging.disable_traceback_filtering", ""), ("debugging.is_numeric_tensor", "1"), ("debugging.assert_type", "1, tf.int32"),
    ("profiler.experimental.start", "FIXTURES + '/logs'"), ("profiler.experimental.ProfilerOptions", ""), ("profiler.experimental.Trace", "'x'"), ("profiler.experimental.Profile", "FIXTURES + '/logs'"), ("profiler.experimental.server.start", "0"),
    ("autograph.set_verbosity", "0"), ("get_logger", ""), ("nest.flatten", "[1]"), ("lite.TFLiteConverter.from_saved_model", "FIXTURES + '/saved_model'"), ("types.experimental.TensorLike", ""), ("experimental.numpy.experimental_enable_numpy_behavior", ""),
    ("experimental.numpy.ones", "1"), ("experimental.dlpack.from_dlpack", "None"), ("errors.OpError", "None, None, '', 0"), ("feature_column.numeric_column", "'x'"), ("load_op_library", "'nowhere.so'"), ("mlir.experimental.convert_graph_def", "''"),
]:
    row(name, f"tf.{name}({arguments})")
row("profiler.experimental.Profile", "with tf.profiler.experimental.Profile(FIXTURES + '/logs'): pass", case="entered")
row("train.Checkpoint.restore", "tf.train.Checkpoint().restore(FIXTURES + '/checkpoint-1')")
row("train.Checkpoint.save", "tf.train.Checkpoint().save(FIXTURES + '/written_checkpoint')")
row("train.CheckpointManager", "tf.train.CheckpointManager(tf.train.Checkpoint(), FIXTURES + '/manager', max_to_keep=1)")
row("data.TFRecordDataset", "for _ in tf.data.TFRecordDataset(FIXTURES + '/x.tfrecord'): pass", case="iterated")

# --- Keras: construction ----------------------------------------------------------------

LAYERS = """Dense:1 Conv1D:1,1 Conv2D:1,1 Conv3D:1,1 Conv2DTranspose:1,1 SeparableConv2D:1,1 DepthwiseConv2D:1 MaxPooling2D: AveragePooling2D:2 GlobalAveragePooling2D:2 GlobalMaxPooling2D: Flatten: Reshape:(1,)
 Dropout:0.5 SpatialDropout2D:0.5 GaussianNoise:0.1 GaussianDropout:0.1 AlphaDropout:0.1 BatchNormalization: LayerNormalization: GroupNormalization:1 UnitNormalization: Embedding:2,2 LSTM:1 GRU:1 SimpleRNN:1 LSTMCell:1
 Activation:'relu' ReLU: LeakyReLU: PReLU: ELU: Softmax: Concatenate: Add: Multiply: Average: Dot:1 Subtract: Maximum: ZeroPadding2D: Cropping2D: UpSampling2D: Permute:(1,) RepeatVector:1 Masking: ActivityRegularization: Identity:
 MultiHeadAttention:1,1 Attention: AdditiveAttention: Lambda:abs InputLayer:(1,) Input:(1,) Rescaling:1. Resizing:1,1 CenterCrop:1,1 RandomFlip: RandomRotation:0.1 RandomZoom:0.1 RandomContrast:0.1 RandomTranslation:0.1,0.1 RandomCrop:1,1
 Normalization: Discretization:[1.] CategoryEncoding:2 Hashing:2 StringLookup: IntegerLookup: TextVectorization: TFSMLayer:FIXTURES+'/saved_model' Layer:"""
for entry in LAYERS.split():
    name, _, arguments = entry.partition(":")
    row("keras.layers." + name, f"tf.keras.layers.{name}({arguments})")
row("keras.layers.Dropout", "tf.keras.layers.Dropout(0.0)", case="rate 0")
row("keras.layers.MultiHeadAttention", "tf.keras.layers.MultiHeadAttention(1, 1, dropout=0.1)", case="dropout")
row("keras.layers.Attention", "tf.keras.layers.Attention(dropout=0.1)", case="dropout")
row("keras.layers.Normalization", "tf.keras.layers.Normalization(mean=0., variance=1.)", case="mean and variance")
row("keras.layers.StringLookup", "tf.keras.layers.StringLookup(vocabulary=['a', 'b'])", case="vocabulary")
row("keras.layers.IntegerLookup", "tf.keras.layers.IntegerLookup(vocabulary=[1, 2])", case="vocabulary")
row("keras.layers.TextVectorization", "tf.keras.layers.TextVectorization(vocabulary=['a', 'b'])", case="vocabulary")
row("keras.layers.Dense", "tf.keras.layers.Dense(1, input_shape=(1,))", case="input_shape")
for wrapper in ("Bidirectional", "TimeDistributed", "RNN"):
    inner = {"RNN": "LSTMCell(1)", "Bidirectional": "LSTM(1)", "TimeDistributed": "Dense(1)"}[wrapper]
    row("keras.layers." + wrapper, f"tf.keras.layers.{wrapper}(tf.keras.layers.{inner})")
row("keras.layers.Dense.build", "l.build((None, 1))", "l = tf.keras.layers.Dense(1)")
row("keras.layers.Dense.get_config", "l.get_config()", "l = tf.keras.layers.Dense(1)")
SYMBOLIC = "x = tf.keras.Input((8, 8, 3))"
for name, arguments in [("Dense", "1"), ("Conv2D", "1, 1"), ("MaxPooling2D", ""), ("Flatten", ""), ("Reshape", "(192,)"), ("Activation", "'relu'"), ("ReLU", ""), ("Rescaling", "2."), ("Identity", ""), ("ZeroPadding2D", ""), ("Resizing", "4, 4"), ("Lambda", "lambda t: t"),
                        ("Dropout", "0.5"), ("BatchNormalization", ""), ("RandomFlip", ""), ("GlobalAveragePooling2D", ""), ("Softmax", ""), ("LayerNormalization", ""), ("Embedding", "2, 2"), ("Permute", "(2, 1, 3)"), ("UpSampling2D", ""), ("Masking", ""), ("RepeatVector", "2")]:
    row(f"keras.layers.{name}.__call__", f"l(x)", f"{SYMBOLIC}; l = tf.keras.layers.{name}({arguments})", case="symbolic")
for name, arguments in [("Dense", "1"), ("Flatten", ""), ("Dropout", "0.5"), ("Rescaling", "2.")]:
    row(f"keras.layers.{name}.__call__", "l(np.ones((1, 2), 'float32'))", f"l = tf.keras.layers.{name}({arguments})", case="ndarray")
for name in ("Add", "Concatenate", "Multiply"):
    row(f"keras.layers.{name}.__call__", "l([x, x])", f"{SYMBOLIC}; l = tf.keras.layers.{name}()", case="symbolic")
row("keras.KerasTensor.__add__", "x + 1", SYMBOLIC)
row("keras.KerasTensor.__getitem__", "x[:, 0]", SYMBOLIC)
row("nn.relu", "tf.nn.relu(x)", SYMBOLIC, case="symbolic")
row("concat", "tf.concat([x, x], -1)", SYMBOLIC, case="symbolic")
row("keras.ops.relu", "tf.keras.ops.relu(x)", SYMBOLIC, case="symbolic")
row("keras.ops.concatenate", "tf.keras.ops.concatenate([x, x])", SYMBOLIC, case="symbolic")
row("keras.applications.resnet50.preprocess_input", "tf.keras.applications.resnet50.preprocess_input(x)", SYMBOLIC, case="symbolic")
row("keras.applications.mobilenet_v2.preprocess_input", "tf.keras.applications.mobilenet_v2.preprocess_input(x)", SYMBOLIC, case="symbolic")
row("keras.layers.Normalization.adapt", "l.adapt(np.ones((2, 1)))", "l = tf.keras.layers.Normalization()")
row("keras.layers.TextVectorization.adapt", "l.adapt(['a b'])", "l = tf.keras.layers.TextVectorization()")
row("keras.layers.StringLookup.adapt", "l.adapt(['a'])", "l = tf.keras.layers.StringLookup()")

row("keras.Input", "tf.keras.Input((1,))")
row("keras.KerasTensor", "tf.keras.KerasTensor((1,))")
row("keras.Sequential", "tf.keras.Sequential()", case="empty")
row("keras.Sequential", "tf.keras.Sequential([])", case="empty list")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Dense(1)])", case="without Input")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.Input((1,))])", case="Input only")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])", case="Input and Dense")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Flatten()])", case="Input and Flatten")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(1,))])", case="input_shape")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(1,))])", case="Flatten with input_shape")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1))", "m = tf.keras.Sequential()")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1, input_shape=(1,)))", "m = tf.keras.Sequential()", case="input_shape")
row("keras.Sequential.build", "m.build((None, 1))", "m = tf.keras.Sequential([tf.keras.layers.Dense(1)])")
row("keras.Model", "tf.keras.Model()", case="no arguments")
row("keras.Model", "class M(tf.keras.Model): pass\nM()", case="subclass")
row("keras.Model", "class M(tf.keras.Model):\n def __init__(self):\n  super().__init__(); self.d = tf.keras.layers.Dense(1)\nM()", case="subclass with a Dense")
row("keras.Model", "class M(tf.keras.Model):\n def call(self, x): return x", case="class statement")
row("keras.layers.Layer", "class L(tf.keras.layers.Layer): pass\nL()", case="subclass")
row("keras.Model", "tf.keras.Model(x, x)", "x = tf.keras.Input((1,))", case="functional, identity")
row("keras.Model", "tf.keras.Model(x, y)", "x = tf.keras.Input((1,)); y = tf.keras.layers.Flatten()(x)", case="functional, Flatten")
row("keras.Model", "x = tf.keras.Input((1,)); tf.keras.Model(x, tf.keras.layers.Dense(1)(x))", case="functional, Dense")

for name in "SGD Adam AdamW RMSprop Adagrad Adadelta Adamax Nadam Ftrl Lion Adafactor".split():
    row("keras.optimizers." + name, f"tf.keras.optimizers.{name}()")
row("keras.optimizers.Adam", "tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 1, 0.5))", case="schedule")
row("keras.optimizers.get", "tf.keras.optimizers.get('adam')")
row("keras.optimizers.schedules.ExponentialDecay", "tf.keras.optimizers.schedules.ExponentialDecay(0.1, 1, 0.5)")
row("keras.optimizers.schedules.CosineDecay", "tf.keras.optimizers.schedules.CosineDecay(0.1, 1)")
# OptimizerV2, which makes its variables when it is first used: tf.keras's before 2.11, and what is left of it.
for name in "SGD Adam RMSprop Adagrad Adadelta Adamax Nadam Ftrl".split():
    row("keras.optimizers.legacy." + name, f"tf.keras.optimizers.legacy.{name}()")
row("keras.optimizers.legacy.get", "tf.keras.optimizers.legacy.get('adam')")
row("keras.optimizers.experimental.Adam", "tf.keras.optimizers.experimental.Adam()")
for module, name in [("gradient_descent", "SGD"), ("adam", "Adam"), ("rmsprop", "RMSprop"), ("adagrad", "Adagrad"), ("nadam", "Nadam")]:
    row(f"python.keras.optimizer_v2.{module}.{name}", f"{name}()", f"from tensorflow.python.keras.optimizer_v2.{module} import {name}")
row("python.keras.optimizers.get", "get('adam')", "from tensorflow.python.keras.optimizers import get")
row("keras.mixed_precision.LossScaleOptimizer", "tf.keras.mixed_precision.LossScaleOptimizer(o)", "o = tf.keras.optimizers.SGD()")
simple("keras.losses", "BinaryCrossentropy CategoricalCrossentropy SparseCategoricalCrossentropy MeanSquaredError MeanAbsoluteError Huber KLDivergence CosineSimilarity Hinge")
row("keras.losses.MeanSquaredError.__call__", "l([1.], [1.])", "l = tf.keras.losses.MeanSquaredError()")
row("keras.losses.MSE", "tf.keras.losses.MSE([1.], [1.])")
simple("keras.metrics", "Accuracy BinaryAccuracy CategoricalAccuracy SparseCategoricalAccuracy Mean Sum AUC Precision Recall MeanSquaredError")
row("keras.metrics.MeanIoU", "tf.keras.metrics.MeanIoU(2)")
simple("keras.initializers", "GlorotUniform GlorotNormal HeNormal HeUniform RandomNormal RandomUniform TruncatedNormal VarianceScaling Orthogonal LecunNormal Zeros Ones Constant Identity")
row("keras.initializers.Zeros.__call__", "i((1,))", "i = tf.keras.initializers.Zeros()")
row("keras.initializers.GlorotUniform.__call__", "i((1, 1))", "i = tf.keras.initializers.GlorotUniform()")
simple("keras.regularizers", "L1 L2 L1L2")
simple("keras.constraints", "MaxNorm NonNeg UnitNorm")
row("keras.activations.get", "tf.keras.activations.get('relu')")
row("keras.activations.relu", "tf.keras.activations.relu([1.])")
for name, arguments in [("ModelCheckpoint", "FIXTURES + '/x.keras'"), ("EarlyStopping", ""), ("TensorBoard", "FIXTURES + '/logs'"), ("ReduceLROnPlateau", ""), ("LearningRateScheduler", "lambda e: 0.1"), ("CSVLogger", "FIXTURES + '/log.csv'"), ("LambdaCallback", ""), ("TerminateOnNaN", ""), ("BackupAndRestore", "FIXTURES + '/backup'"), ("Callback", ""), ("History", ""), ("ProgbarLogger", "")]:
    row("keras.callbacks." + name, f"tf.keras.callbacks.{name}({arguments})")
for name in ("MobileNetV2", "ResNet50", "EfficientNetB0"):
    row("keras.applications." + name, f"tf.keras.applications.{name}(weights=None)")
row("keras.applications.resnet50.preprocess_input", "tf.keras.applications.resnet50.preprocess_input(np.ones((1, 2, 2, 3), 'float32'))", case="ndarray")
row("keras.applications.mobilenet_v2.preprocess_input", "tf.keras.applications.mobilenet_v2.preprocess_input(np.ones((1, 2, 2, 3), 'float32'))", case="ndarray")

# --- Keras: functions and methods -----------------------------------------------------------

for name, arguments in [
    ("utils.set_random_seed", "1"), ("utils.to_categorical", "[0, 1]"), ("utils.normalize", "np.ones((1, 1))"), ("utils.image_dataset_from_directory", "FIXTURES + '/images', image_size=(4, 4), batch_size=1"), ("utils.text_dataset_from_directory", "FIXTURES + '/texts', batch_size=1"),
    ("preprocessing.image_dataset_from_directory", "FIXTURES + '/images', image_size=(4, 4), batch_size=1"), ("utils.timeseries_dataset_from_array", "np.ones(9), None, 2"), ("utils.split_dataset", "np.ones(4), 0.5"), ("utils.load_img", "FIXTURES + '/images/a/0.png'"), ("preprocessing.image.load_img", "FIXTURES + '/images/a/0.png'"),
    ("utils.img_to_array", "np.ones((1, 1, 3))"), ("utils.array_to_img", "np.ones((1, 1, 3))"), ("preprocessing.image.ImageDataGenerator", ""), ("preprocessing.sequence.pad_sequences", "[[1], [1, 2]]"), ("utils.pad_sequences", "[[1], [1, 2]]"), ("preprocessing.text.Tokenizer", ""), ("utils.register_keras_serializable", ""),
    ("utils.custom_object_scope", "{}"), ("utils.get_custom_objects", ""), ("utils.Progbar", "1"), ("utils.get_file", "'x', 'file:///nowhere'"), ("utils.enable_interactive_logging", ""), ("utils.disable_interactive_logging", ""), ("utils.FeatureSpace", "{'x': 'float'}"),
    ("mixed_precision.set_global_policy", "'mixed_float16'"), ("mixed_precision.global_policy", ""), ("mixed_precision.Policy", "'mixed_float16'"), ("backend.clear_session", ""), ("utils.clear_session", ""), ("backend.set_floatx", "'float32'"), ("backend.floatx", ""), ("backend.image_data_format", ""), ("backend.set_image_data_format", "'channels_last'"),
    ("backend.epsilon", ""), ("backend.set_epsilon", "1e-7"), ("backend.backend", ""), ("backend.get_uid", "'x'"), ("backend.variable", "1.0"), ("backend.constant", "1.0"), ("backend.set_learning_phase", "1"), ("backend.learning_phase", ""), ("backend.cast", "1, 'float32'"), ("backend.mean", "np.ones(1)"), ("backend.int_shape", "np.ones(1)"),
    ("config.set_dtype_policy", "'mixed_float16'"), ("config.set_floatx", "'float32'"), ("config.set_backend", "'tensorflow'"), ("config.enable_unsafe_deserialization", ""), ("config.disable_traceback_filtering", ""), ("DTypePolicy", "'float32'"), ("RematScope", ""), ("remat", "lambda x: x"), ("Variable", "1.0"), ("StatelessScope", ""), ("name_scope", "'x'"),
    ("ops.ones", "1"), ("ops.zeros", "1"), ("ops.convert_to_tensor", "1"), ("ops.matmul", "np.ones((1, 1)), np.ones((1, 1))"), ("ops.shape", "np.ones(1)"), ("ops.cast", "1, 'float32'"), ("ops.relu", "np.ones(1)"), ("ops.convert_to_numpy", "np.ones(1)"), ("ops.is_tensor", "1"), ("ops.arange", "1"), ("ops.concatenate", "[np.ones(1), np.ones(1)]"),
    ("random.normal", "(1,)"), ("random.uniform", "(1,)"), ("random.SeedGenerator", "1"), ("random.SeedGenerator", ""), ("random.shuffle", "np.ones(1)"), ("models.load_model", "FIXTURES + '/model.keras'"), ("models.load_model", "FIXTURES + '/model.h5'"), ("saving.load_model", "FIXTURES + '/model.keras'"), ("models.model_from_json", "open(FIXTURES + '/model.json').read()"),
    ("distribution.list_devices", ""), ("distribution.DataParallel", ""), ("distribution.initialize", ""), ("version", ""), ("layers.deserialize", "tf.keras.layers.serialize(tf.keras.layers.Dense(1))"), ("tree.flatten", "[1]"), ("quantizers.AbsMaxQuantizer", "axis=0"), ("callbacks.CallbackList", ""), ("utils.Sequence", ""), ("utils.PyDataset", ""), ("export.ExportArchive", ""),
]:
    row("keras." + name, f"tf.keras.{name}({arguments})", case={"random.SeedGenerator": "seed" if arguments else "no seed", "models.load_model": arguments[-6:-1].split(".")[-1]}.get(name, ""))
UNBUILT = "m = tf.keras.Sequential([tf.keras.layers.Dense(1)])"
BUILT = "m = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])"
row("keras.Model.compile", "m.compile('sgd', 'mse')", UNBUILT, case="strings")
row("keras.Model.compile", "m.compile(loss='mse')", UNBUILT, case="default optimizer")
row("keras.Model.compile", "m.compile('sgd', 'mse', metrics=['mae'])", UNBUILT, case="metrics")
row("keras.Model.compile", "m.compile(o, 'mse')", UNBUILT + "; o = tf.keras.optimizers.SGD()", case="optimizer object")
row("keras.Model.fit", "m.compile('sgd', 'mse'); m.fit(X, X, verbose=0)", UNBUILT + "; X = np.ones((2, 1), 'float32')", case="after compile")
row("keras.Model.evaluate", "m.compile('sgd', 'mse'); m.evaluate(X, X, verbose=0)", UNBUILT + "; X = np.ones((2, 1), 'float32')", case="after compile")
row("keras.Model.predict", "m.predict(np.ones((2, 1)), verbose=0)", UNBUILT)
row("keras.Model.predict_on_batch", "m.predict_on_batch(np.ones((2, 1)))", UNBUILT)
row("keras.Model.__call__", "m(np.ones((2, 1)))", UNBUILT)
row("keras.Model.build", "m.build((None, 1))", UNBUILT)
row("keras.Model.summary", "m.summary()", UNBUILT, case="unbuilt")
row("keras.Model.summary", "m.summary()", BUILT, case="built")
row("keras.Model.load_weights", "m.load_weights(FIXTURES + '/model.weights.h5')", UNBUILT)
row("keras.Model.save", "m.save(FIXTURES + '/written.keras')", UNBUILT, case="unbuilt")
row("keras.Model.save_weights", "m.save_weights(FIXTURES + '/written.weights.h5')", UNBUILT, case="unbuilt")
row("keras.Model.get_config", "m.get_config()", UNBUILT)
row("keras.Model.get_weights", "m.get_weights()", UNBUILT, case="unbuilt")
row("keras.Model.count_params", "m.count_params()", UNBUILT, case="unbuilt")
row("keras.Model.to_json", "m.to_json()", UNBUILT)
row("keras.Model.trainable", "m.trainable = False", UNBUILT)
row("keras.preprocessing.image.ImageDataGenerator.flow_from_directory", "tf.keras.preprocessing.image.ImageDataGenerator().flow_from_directory(FIXTURES + '/images', target_size=(4, 4))")
row("keras.preprocessing.text.Tokenizer.fit_on_texts", "tf.keras.preprocessing.text.Tokenizer().fit_on_texts(['a'])")

# --- the rest of what analyzer/effects/table.txt says initialises ---------------------------

for name, arguments in [
    ("tensordot", "np.ones(1), np.ones(1), 1"), ("multiply", "1, 2"), ("square", "1"), ("sqrt", "1."), ("abs", "1"), ("reduce_mean", "[1.]"), ("reduce_max", "[1.]"), ("reduce_min", "[1.]"),
    ("io.decode_png", "b''"), ("io.parse_tensor", "tf.io.serialize_tensor(1), tf.int32"), ("ragged.stack", "[[1], [2, 3]]"),
    ("keras.models.clone_model", "tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])"),
]:
    row(name, f"tf.{name}({arguments})")
for name in ("gpu_device_name", "is_gpu_available"):
    row("compat.v1.test." + name, f"v1.test.{name}()")
row("keras.layers.Layer.add_weight", "l.add_weight(name='w', shape=(1,))", "l = tf.keras.layers.Layer()")
row("keras.layers.Layer.add_weight", "class L(tf.keras.layers.Layer):\n def __init__(self):\n  super().__init__(); self.w = self.add_weight(name='w', shape=(1,))\nL()", case="of a subclass")
for name, arguments, shape in [
    ("Conv1D", "1, 1", "(8, 3)"), ("Conv3D", "1, 1", "(8, 8, 8, 3)"), ("Conv1DTranspose", "1, 1", "(8, 3)"), ("Conv2DTranspose", "1, 1", "(8, 8, 3)"), ("DepthwiseConv2D", "1", "(8, 8, 3)"),
    ("SeparableConv2D", "1, 1", "(8, 8, 3)"), ("PReLU", "", "(3,)"), ("EinsumDense", "'bx,xy->by', 2", "(3,)"), ("GroupNormalization", "1", "(3,)"), ("ConvLSTM2D", "1, 1", "(4, 8, 8, 3)"), ("SimpleRNN", "1", "(4, 3)"),
    ("TimeDistributed", "tf.keras.layers.Dense(1)", "(4, 3)"),
]:
    row(f"keras.layers.{name}.__call__", "l(x)", f"x = tf.keras.Input({shape}); l = tf.keras.layers.{name}({arguments})", case="symbolic")
row("keras.Sequential", "layers = [tf.keras.Input((1,)), tf.keras.layers.Dense(1)]\ntf.keras.Sequential(layers)", case="a list that has a name")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Dense(1, input_dim=1)])", case="input_dim")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.InputLayer((1,)), tf.keras.layers.Dense(1)])", case="InputLayer and Dense")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Flatten(input_shape=(1,)), tf.keras.layers.Dense(1)])", case="Flatten with input_shape, and Dense")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(1, input_shape=(1,))])", case="input_shape on the second")
row("keras.Sequential", "tf.keras.Sequential([tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Flatten()]), tf.keras.layers.Dense(1)])", case="a model with an Input, and Dense")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1))", "m = tf.keras.Sequential()\nm.add(tf.keras.Input((1,)))", case="after Input")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1))", "m = tf.keras.Sequential([tf.keras.Input((1,))])", case="after Input in the list")
row("keras.Sequential.add", "m.add(tf.keras.layers.Flatten())", "m = tf.keras.Sequential()\nm.add(tf.keras.Input((1,)))", case="Flatten after Input")
row("keras.Sequential.add", "m.add(tf.keras.Input((1,)))", "m = tf.keras.Sequential()", case="Input")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1))", "m = tf.keras.Sequential()\nm.add(tf.keras.layers.Flatten(input_shape=(1,)))", case="after Flatten with input_shape")
row("keras.Sequential.add", "m.add(tf.keras.layers.Dense(1, input_shape=(1,)))", "m = tf.keras.Sequential()\nm.add(tf.keras.layers.Flatten())", case="input_shape on the second")
row("keras.Model.train_on_batch", "m.compile('sgd', 'mse'); m.train_on_batch(X, X)", UNBUILT + "; X = np.ones((2, 1), 'float32')", case="after compile")
row("keras.Model.test_on_batch", "m.compile('sgd', 'mse'); m.test_on_batch(X, X)", UNBUILT + "; X = np.ones((2, 1), 'float32')", case="after compile")
row("function.__call__", "f()", "f = tf.function(lambda: 1)")
for name, arguments in [("LSTM", "1"), ("GRU", "1"), ("Bidirectional", "tf.keras.layers.LSTM(1)")]:
    row(f"keras.layers.{name}.__call__", "l(x)", f"x = tf.keras.Input((4, 3)); l = tf.keras.layers.{name}({arguments})", case="symbolic")
row("keras.layers.MultiHeadAttention.__call__", "l(x, x)", "x = tf.keras.Input((4, 3)); l = tf.keras.layers.MultiHeadAttention(1, 1)", case="symbolic")
row("keras.Model.fit_generator", "m.fit_generator(iter([(X, X)]), steps_per_epoch=1, verbose=0)", UNBUILT + "; X = np.ones((2, 1), 'float32'); m.compile('sgd', 'mse')")
row("keras.utils.audio_dataset_from_directory", "tf.keras.utils.audio_dataset_from_directory(FIXTURES + '/sounds', batch_size=1)")
for name, call in [("zip", "tf.data.Dataset.zip((d, d))"), ("sample_from_datasets", "tf.data.Dataset.sample_from_datasets([d, d])"), ("choose_from_datasets", "tf.data.Dataset.choose_from_datasets([d], d.take(1))"),
                   ("reduce", "d.reduce(np.int64(0), lambda a, b: a + b)"), ("get_single_element", "d.take(1).get_single_element()"), ("save", "d.save(FIXTURES + '/written_dataset')")]:
    row("data.Dataset." + name, call, "d = tf.data.Dataset.range(3)")
for name, more in [("cast", ", 'float16'"), ("matmul", ", x"), ("shape", ""), ("convert_to_tensor", "")]:
    row("keras.ops." + name, f"tf.keras.ops.{name}(x{more})", SYMBOLIC, case="symbolic")

# --- exact messages ----------------------------------------------------------------------------

INITIALISED = "tf.constant(1)"
DEFAULTS = "cpus = tf.config.list_physical_devices('CPU')"
TWO = "[tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()]"
raises("set_memory_growth(True)", "tf.config.experimental.set_memory_growth(True)")
raises("set_memory_growth without enable", "tf.config.experimental.set_memory_growth(cpus[0])", DEFAULTS)
raises("set_memory_growth of a list", "tf.config.experimental.set_memory_growth(cpus, True)", DEFAULTS)
raises("set_memory_growth of an empty list", "tf.config.experimental.set_memory_growth([], True)")
raises("set_memory_growth of a string", "tf.config.experimental.set_memory_growth('GPU:0', True)")
raises("set_memory_growth of a LogicalDevice", "tf.config.experimental.set_memory_growth(tf.config.LogicalDevice('/device:GPU:0', 'GPU'), True)")
raises("set_memory_growth of a CPU", "tf.config.experimental.set_memory_growth(cpus[0], True)", DEFAULTS)
raises("set_memory_growth of a CPU, initialised", "tf.config.experimental.set_memory_growth(cpus[0], True)", DEFAULTS + "\n" + INITIALISED)
raises("set_memory_growth of a list, initialised", "tf.config.experimental.set_memory_growth(cpus, True)", DEFAULTS + "\n" + INITIALISED)
raises("tf.config.set_memory_growth", "tf.config.set_memory_growth(None, True)")
raises("tf.config.get_memory_growth", "tf.config.get_memory_growth(None)")
raises("first GPU of none", "tf.config.list_physical_devices('GPU')[0]")
raises("set_visible_devices, initialised", "tf.config.set_visible_devices([], 'CPU')", INITIALISED)
raises("set_visible_devices, initialised, GPUs of none", "tf.config.set_visible_devices([], 'GPU')", INITIALISED)
raises("set_visible_devices, initialised, same value never set", "tf.config.set_visible_devices(cpus, 'CPU')", DEFAULTS + "\n" + INITIALISED)
raises("set_visible_devices, initialised, same value set before", "tf.config.set_visible_devices(cpus, 'CPU')", DEFAULTS + "\ntf.config.set_visible_devices(cpus, 'CPU')\n" + INITIALISED)
raises("set_visible_devices of a string", "tf.config.set_visible_devices('GPU:0', 'GPU')")
raises("set_visible_devices of another type", "tf.config.set_visible_devices(cpus, 'GPU')", DEFAULTS)
raises("set_visible_devices without device_type, then CPUs", "tf.config.set_visible_devices([])\ntf.constant(1)")
raises("set_logical_device_configuration, initialised", f"tf.config.set_logical_device_configuration(cpus[0], {TWO})", DEFAULTS + "\n" + INITIALISED)
raises("set_logical_device_configuration, initialised, same value set before", f"tf.config.set_logical_device_configuration(cpus[0], {TWO})", DEFAULTS + f"\ntf.config.set_logical_device_configuration(cpus[0], {TWO})\n" + INITIALISED)
raises("set_logical_device_configuration twice, different, not initialised", f"tf.config.set_logical_device_configuration(cpus[0], {TWO})", DEFAULTS + "\ntf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()])")
raises("set_logical_device_configuration of a CPU with memory_limit", "tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1)])", DEFAULTS)
raises("set_logical_device_configuration of a list", f"tf.config.set_logical_device_configuration(cpus, {TWO})", DEFAULTS)
raises("set_logical_device_configuration without a list", "tf.config.set_logical_device_configuration(cpus[0], tf.config.LogicalDeviceConfiguration())", DEFAULTS)
raises("get_memory_info of a CPU", "tf.config.experimental.get_memory_info('CPU:0')")
raises("get_memory_info of a missing GPU", "tf.config.experimental.get_memory_info('GPU:0')")
raises("threads after initialisation", "tf.config.threading.set_inter_op_parallelism_threads(3)", INITIALISED)
raises("mirrored variables without GPUs", "tf.distribute.MirroredStrategy(['/GPU:0', '/GPU:1'])")
for name in ("ConfigProto", "Session", "GPUOptions", "InteractiveSession", "placeholder", "get_variable", "global_variables_initializer", "set_random_seed", "disable_eager_execution", "estimator", "contrib", "log"):
    raises("tf." + name, f"tf.{name}")
raises("tf.compat.v1.keras", "tf.compat.v1.keras")
raises("tf.compat.v1.keras.backend.set_session", "tf.compat.v1.keras.backend.set_session")
raises("tf.compat.v1.estimator", "tf.compat.v1.estimator.Estimator")
raises("tf.keras.backend.set_session", "tf.keras.backend.set_session")
raises("Session(config) positional", "v1.Session(v1.ConfigProto())")
raises("MonitoredTrainingSession(session_creator=)", "v1.train.MonitoredTrainingSession(session_creator=None)")
raises("MonitoredSession(config=)", "v1.train.MonitoredSession(config=None)")
raises("ChiefSessionCreator(allow_growth=)", "v1.train.ChiefSessionCreator(allow_growth=True)")
raises("ConfigProto(allow_growth=)", "v1.ConfigProto(allow_growth=True)")
raises("ConfigProto().allow_growth", "v1.ConfigProto().allow_growth = True")
raises("Session.run eagerly", "v1.Session().run(tf.constant(1))")
raises("placeholder eagerly", "v1.placeholder(tf.float32)")
raises("MonitoredTrainingSession eagerly", "v1.train.MonitoredTrainingSession()")
raises("disable_eager_execution after initialisation", "v1.disable_eager_execution()", INITIALISED)
# GPUs that are only believed in: what context.py checks before it asks the runtime.
# The last statement of a row tells a value by AssertionError.
BELIEVED = """
from tensorflow.python.eager import context
c = context.context()
tf.config.list_physical_devices()
gpus = [context.PhysicalDevice('/physical_device:GPU:%d' % i, 'GPU') for i in range(2)]
c._physical_devices += gpus
c._visible_device_list += gpus
c._memory_growth_map.update({gpu: None for gpu in gpus})
grow, limit = tf.config.experimental.set_memory_growth, tf.config.set_logical_device_configuration
def some(megabytes): return [tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)]
""".strip()
GROW_ALL = "\ngrow(gpus[0], True); grow(gpus[1], True)"
for case, expression, more in [
    ("growth after initialisation", "grow(gpus[0], True)", GROW_ALL.replace("True", "False") + "\ntf.constant(1)"),
    ("growth after initialisation, same value", "grow(gpus[0], True)", GROW_ALL + "\ntf.constant(1)"),
    ("growth False after initialisation, never set", "grow(gpus[0], False)", "\ntf.constant(1)"),
    ("growth after initialisation, never set", "grow(gpus[0], True)", "\ntf.constant(1)"),
    ("growth on one of two, then initialisation", "tf.constant(1)", "\ngrow(gpus[0], True)"),
    ("growth True on one, False on the other, then initialisation", "tf.constant(1)", "\ngrow(gpus[0], True); grow(gpus[1], False)"),
    ("growth on one of two, then list_logical_devices", "tf.config.list_logical_devices()", "\ngrow(gpus[0], True)"),
    ("growth on one of two, then Session()", "v1.Session()", "\ngrow(gpus[0], True)"),
    ("growth on one of two, only that one visible", "tf.constant(1)", "\ngrow(gpus[0], True); tf.config.set_visible_devices(gpus[0], 'GPU')"),
    ("growth on one of two, a limit on the other", "tf.constant(1)", "\ngrow(gpus[0], True); limit(gpus[1], some(10))"),
    ("limit, then growth on the same GPU", "grow(gpus[0], True)", "\nlimit(gpus[0], some(10))"),
    ("limit, then growth on another GPU", "grow(gpus[1], True)", "\nlimit(gpus[0], some(10))"),
    ("growth, then limit", "limit(gpus[0], some(10))", GROW_ALL),
    ("growth kept without limits", "assert c.config.gpu_options.allow_growth", GROW_ALL),
    ("growth kept after a limit on one", "assert c.config.gpu_options.allow_growth", GROW_ALL + "\nlimit(gpus[0], some(10))"),
    ("growth kept after logical CPUs", "assert c.config.gpu_options.allow_growth", GROW_ALL + "\nlimit(c.list_physical_devices('CPU')[0], [tf.config.LogicalDeviceConfiguration()] * 2)"),
    ("get_memory_growth after a limit", "assert tf.config.experimental.get_memory_growth(gpus[0])", GROW_ALL + "\nlimit(gpus[0], some(10))"),
    ("logical GPUs without memory_limit", "limit(gpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)", ""),
    ("one logical GPU without memory_limit", "limit(gpus[0], [tf.config.LogicalDeviceConfiguration()])", ""),
    ("limit after initialisation", "limit(gpus[0], some(10))", "\ntf.constant(1)"),
    ("visibility after initialisation", "tf.config.set_visible_devices(gpus[0], 'GPU')", "\ntf.constant(1)"),
    ("no GPU visible after initialisation", "tf.config.set_visible_devices([], 'GPU')", "\ntf.constant(1)"),
    ("growth on a GPU that is not visible, then initialisation", "tf.constant(1)", "\ntf.config.set_visible_devices([], 'GPU')" + GROW_ALL),
    ("a limit on a GPU that is not visible", "limit(gpus[0], some(10))", "\ntf.config.set_visible_devices([], 'GPU')"),
    ("Session() takes growth from tf.config", "assert v1.Session()._config.gpu_options.allow_growth", GROW_ALL),
    ("Session(config) takes growth from tf.config", "assert v1.Session(config=v1.ConfigProto())._config.gpu_options.allow_growth", GROW_ALL),
    ("growth after Session()", "grow(gpus[0], True)", "\nv1.Session()"),
    ("growth after list_local_devices()", "grow(gpus[0], True)", "\nfrom tensorflow.python.client import device_lib; device_lib.list_local_devices()"),
    ("growth after gpu_device_name()", "grow(gpus[0], True)", "\ntf.test.gpu_device_name()"),
    ("growth after InteractiveSession()", "grow(gpus[0], True)", "\nv1.InteractiveSession()"),
    ("get_memory_growth of an untouched GPU", "assert tf.config.experimental.get_memory_growth(gpus[0]) is None", ""),
    ("set_memory_growth of 'GPU:0' by name", "grow(gpus[0].name, True)", ""),
]:
    raises("believed GPUs: " + case, expression, BELIEVED + more)
raises("InteractiveSession() sets growth itself", "assert v1.InteractiveSession()._config.gpu_options.allow_growth")
raises("InteractiveSession(config) sets growth itself", "assert v1.InteractiveSession(config=v1.ConfigProto())._config.gpu_options.allow_growth")
raises("Session() sets growth itself", "assert v1.Session()._config.gpu_options.allow_growth")
TAPE = "x = tf.Variable(1.0)\nwith tf.GradientTape({}) as t: y = x * x"
raises("second gradient()", "t.gradient(y, x)", TAPE.format("") + "\nt.gradient(y, x)")
raises("jacobian() after gradient()", "t.jacobian(y, x)", TAPE.format("") + "\nt.gradient(y, x)")
raises("gradient() after jacobian()", "t.gradient(y, x)", TAPE.format("") + "\nt.jacobian(y, x)")
raises("second gradient(), persistent", "t.gradient(y, x)", TAPE.format("persistent=True") + "\nt.gradient(y, x)")
raises("gradient() inside the tape", "with tf.GradientTape() as t:\n y = x * x\n t.gradient(y, x)", "x = tf.Variable(1.0)")
raises("second gradient() after one inside the tape", "with tf.GradientTape() as t:\n y = x * x\n t.gradient(y, x)\nt.gradient(y, x)", "x = tf.Variable(1.0)")
raises("two variables created in tf.function calls", "f(); f()", "@tf.function\ndef f(): return tf.Variable(1.0)")
raises("TypeError of numpy() in tf.function", "f(1)", "@tf.function\ndef f(x): return tf.constant(1).numpy()")
FIT = "def model(*layers):\n m = tf.keras.Sequential(list(layers)); m.compile('sgd', 'mse'); return m\nD, F, I = tf.keras.layers.Dense, tf.keras.layers.Flatten, tf.keras.Input\ndef data(*s): return tf.data.Dataset.from_tensor_slices((np.ones((8,) + s, 'float32'), np.ones((8, 1), 'float32')))\n"
raises("fit unbatched, vectors, Dense without Input", "model(D(1)).fit(data(4), verbose=0)", FIT)
raises("fit unbatched, vectors, Dense with Input", "model(I((4,)), D(1)).fit(data(4), verbose=0)", FIT)
raises("fit unbatched, 28x28, Flatten, Dense without Input", "model(F(), D(1)).fit(data(28, 28), verbose=0)", FIT)
raises("fit unbatched, 28x28, Flatten, Dense with Input", "model(I((28, 28)), F(), D(1)).fit(data(28, 28), verbose=0)", FIT)
raises("fit unbatched, 28x28, Dense with Input((28,))", "model(I((28,)), D(1)).fit(data(28, 28), verbose=0)", FIT)
raises("fit unbatched, images, Conv2D with Input", "model(I((8, 8, 3)), tf.keras.layers.Conv2D(1, 3), F(), D(1)).fit(data(8, 8, 3), verbose=0)", FIT)
raises("fit unbatched, images, Conv2D without Input", "model(tf.keras.layers.Conv2D(1, 3), F(), D(1)).fit(data(8, 8, 3), verbose=0)", FIT)
SCALAR_LABELS = FIT + "def scalars(*s): return tf.data.Dataset.from_tensor_slices((np.ones((8,) + s, 'float32'), np.ones(8, 'float32')))\n"
raises("fit unbatched, vectors, scalar labels", "model(I((4,)), D(1)).fit(scalars(4), verbose=0)", SCALAR_LABELS)
raises("fit unbatched, 28x28, scalar labels", "model(I((28, 28)), F(), D(1)).fit(scalars(28, 28), verbose=0)", SCALAR_LABELS)
raises("evaluate unbatched, vectors", "model(I((4,)), D(1)).evaluate(data(4), verbose=0)", FIT)
raises("predict unbatched, vectors", "model(I((4,)), D(1)).predict(data(4), verbose=0)", FIT)
raises("predict unbatched, 28x28", "model(I((28, 28)), F(), D(1)).predict(data(28, 28).map(lambda x, y: x), verbose=0)", FIT)
for method in ("fit", "evaluate", "predict"):
    raises(f"{method} with a batched Dataset and batch_size=", f"model(I((4,)), D(1)).{method}(data(4).batch(2), batch_size=4, verbose=0)", FIT)
raises("fit with an unbatched Dataset and batch_size=", "model(I((4,)), D(1)).fit(data(4), batch_size=4, verbose=0)", FIT)
raises("fit with a Dataset and y=", "model(I((4,)), D(1)).fit(data(4).batch(2), np.ones((8, 1)), verbose=0)", FIT)
raises("fit with a Dataset and validation_split=", "model(I((4,)), D(1)).fit(data(4).batch(2), validation_split=0.5, verbose=0)", FIT)
raises("fit with validation_batch_size= and validation Dataset", "model(I((4,)), D(1)).fit(data(4).batch(2), validation_data=data(4).batch(2), validation_batch_size=4, verbose=0)", FIT)
raises("fit with a generator and batch_size=", "model(I((4,)), D(1)).fit(((np.ones((2, 4)), np.ones((2, 1))) for _ in range(2)), batch_size=4, verbose=0)", FIT)
raises("fit with a distributed Dataset", "m.fit(tf.distribute.get_strategy().experimental_distribute_dataset(data(4).batch(2)), verbose=0)", FIT + "m = model(I((4,)), D(1))")
raises("fit with a MirroredStrategy's distributed Dataset", "m.fit(s.experimental_distribute_dataset(data(4).batch(2)), verbose=0)", FIT + "s = tf.distribute.MirroredStrategy(['/CPU:0'])\nwith s.scope(): m = model(I((4,)), D(1))")
raises("model built outside the strategy's scope", "m.fit(data(4).batch(2), verbose=0)", FIT + "m = tf.keras.Sequential([I((4,)), D(1, kernel_initializer='zeros')])\ns = tf.distribute.MirroredStrategy(['/CPU:0'])\nwith s.scope(): m.compile('sgd', 'mse')")
raises("gradient_accumulation_steps=", "tf.keras.optimizers.Adam(gradient_accumulation_steps=2)")
raises("gradient_accumulation_steps=1", "tf.keras.optimizers.Adam(gradient_accumulation_steps=1)")
raises("get_scaled_loss", "tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD()).get_scaled_loss")
raises("scale_loss", "tf.keras.mixed_precision.LossScaleOptimizer(tf.keras.optimizers.SGD()).scale_loss")
raises("tf.recompute_grad", "tf.recompute_grad(lambda x: x)(tf.constant(1.0))")


# --- the recorder ---------------------------------------------------------------------------------


def make_fixtures(directory):
    """Files which some rows read. Making them initialises, so a process of its own does it."""
    import numpy as np
    import tensorflow as tf

    def path(*parts):
        joined = os.path.join(directory, *parts)
        os.makedirs(os.path.dirname(joined), exist_ok=True)
        return joined

    open(path("text.txt"), "w").write("a\n")
    open(path("text.csv"), "w").write("x,y\n1,2\n3,4\n")
    for label in "ab":
        open(path("texts", label, "0.txt"), "w").write("word\n")
        pixels = tf.io.encode_png(np.zeros((4, 4, 3), "uint8"))
        open(path("images", label, "0.png"), "wb").write(pixels.numpy())
        open(path("sounds", label, "0.wav"), "wb").write(tf.audio.encode_wav(np.zeros((8, 1), "float32"), 8).numpy())
    with tf.io.TFRecordWriter(path("x.tfrecord")) as writer:
        writer.write(b"record")
    tf.data.Dataset.range(3).save(path("dataset"))
    tf.train.Checkpoint().save(path("checkpoint"))
    module = tf.Module()
    module.v = tf.Variable(1.0)
    tf.saved_model.save(module, path("saved_model"))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model(np.ones((1, 1), "float32"))
    open(path("model.json"), "w").write(model.to_json())
    for name in ("model.keras", "model.h5"):
        model.save(path(name))
    model.save_weights(path("model.weights.h5"))


def message(error, fixtures):
    """An error as one stable text: no addresses, no paths of this machine."""
    text = f"{type(error).__name__}: {error}"
    text = text.replace(fixtures, "<fixtures>")
    text = re.sub(r"0x[0-9a-f]{6,}", "0x…", text)
    text = re.sub(r"(/[\w.+-]+)+/(site-packages|lib/python[\d.]+)/", "", text)
    text = re.sub(r'"/[^"\n]*/([\w.-]+)"', r'"\1"', text)
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    # Keras 2 quotes every frame of its own; what matters stands after them.
    text = re.sub(r"(?m)^    File .*\n(        .*\n)?", "", text)
    text = re.sub(r"localhost:\d+", "localhost:<port>", text)
    if len(text) > LONGEST_MESSAGE:
        text = text[:LONGEST_MESSAGE] + "…"
    return text


def initialised():
    from tensorflow.python.eager import context

    current = context.context_safe()
    return current is not None and current._context_handle is not None


def outcome(action, fixtures):
    """None, or the error that action raises."""
    try:
        action()
    except BaseException as error:  # SystemExit too: the child must report
        return message(error, fixtures)
    return None


def observe(entry, fixtures, log):
    """Runs one row in this process; log is the file behind descriptor 2."""
    import numpy as np
    import tensorflow as tf

    space = {"tf": tf, "np": np, "v1": tf.compat.v1, "FIXTURES": fixtures}

    def logged():
        sys.stderr.flush()
        with open(log, errors="replace") as file:
            return file.read()

    seen = {"setup_raised": outcome(lambda: exec(entry["setup"], space), fixtures), "setup_initialises": initialised()}
    before = logged()
    seen["setup_creates_devices"] = DEVICES_LOG in before
    seen["setup_queries_cuda"] = bool(CUDA_LOG.search(before))
    seen["raised"] = outcome(lambda: exec(entry["expression"], space), fixtures)
    after = logged()
    if "name" not in entry:
        return {"raised": seen["raised"], "setup_raised": seen["setup_raised"]}
    seen["initialises"] = initialised()
    seen["creates_devices"] = DEVICES_LOG in after[len(before):] or seen["setup_creates_devices"]
    seen["queries_cuda"] = bool(CUDA_LOG.search(after))

    def set_logical():
        cpu = tf.config.list_physical_devices("CPU")[0]
        tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)

    seen["logical_devices_error"] = outcome(set_logical, fixtures)
    seen["visible_devices_error"] = outcome(lambda: tf.config.set_visible_devices([], "CPU"), fixtures)
    return seen


def run_forked(entry, fixtures, scratch):
    """Observes one row in a forked child. The parent holds nothing that fork would break:
    its only other thread is OpenBLAS's, which knows fork, and no device exists yet."""
    result, log = os.path.join(scratch, "result"), os.path.join(scratch, "log")
    for stale in (result, log):
        if os.path.exists(stale):
            os.remove(stale)
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setsid()
        descriptor = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.dup2(descriptor, 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        seen = observe(entry, fixtures, log)
        with open(result, "w") as file:
            json.dump(seen, file)
        os._exit(0)
    deadline, status = time.time() + TIMEOUT_SECONDS, None
    while status is None and time.time() < deadline:
        done, code = os.waitpid(child, os.WNOHANG)
        status = code if done else time.sleep(0.01)
    # The child may have left workers behind; it leads their process group.
    try:
        os.killpg(child, signal.SIGKILL)
    except ProcessLookupError:
        pass
    if status is None:
        os.waitpid(child, 0)
        return {"raised": "<no result in time>"}
    if not os.path.exists(result):
        return {"raised": f"<process ended with status {status}>"}
    with open(result) as file:
        return json.load(file)


def run_spawned(index, fixtures, scratch):
    """Observes one row in a fresh interpreter."""
    log, result = os.path.join(scratch, "log"), os.path.join(scratch, "result")
    with open(log, "w") as errors:
        subprocess.run([sys.executable, __file__, "--one", str(index), fixtures, log, result], stderr=errors, stdout=subprocess.DEVNULL, timeout=TIMEOUT_SECONDS)
    with open(result) as file:
        return json.load(file)


def tidy(entry, seen):
    """The row as it is written: what is empty or equals the usual is left out."""
    kept = {**entry, **seen}
    for key in ("case", "setup", "setup_raised", "setup_initialises", "setup_creates_devices", "setup_queries_cuda", "raised"):
        if not kept.get(key):
            kept.pop(key, None)
    return kept


def same(entry):
    """What tells a row from the others."""
    return entry["name"], entry.get("case", ""), entry.get("setup", ""), entry["expression"]


def import_row(statement):
    """What the import itself does; the forked rows start after it."""
    program = statement + "\nfrom tensorflow.python.eager import context as c\nprint(c.context_safe() is not None and c.context_safe()._context_handle is not None)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    return {"name": "tensorflow", "case": statement, "expression": statement, "initialises": done.stdout.strip() == "True",
            "creates_devices": DEVICES_LOG in done.stderr, "queries_cuda": "cuInit" in done.stderr}


def versions():
    import tensorflow as tf

    flavour = "keras"
    if os.environ.get("TF_USE_LEGACY_KERAS") == "1":
        flavour = "tf_keras"
    keras = importlib.import_module(flavour)
    return {"tensorflow": tf.__version__, flavour: keras.__version__, "python": sys.version.split()[0]}


def main(arguments):
    if arguments[:1] == ["--fixtures"]:
        return make_fixtures(arguments[1])
    if arguments[:1] == ["--one"]:
        index, fixtures, log, result = arguments[1:]
        import tensorflow as tf

        tf.keras.layers.Layer
        # What the import itself logged is no effect of the row.
        os.truncate(log, 0)
        seen = observe(ROWS[int(index)], fixtures, log)
        with open(result, "w") as file:
            json.dump(seen, file)
        os._exit(0)

    scratch = tempfile.mkdtemp()
    pristine, fixtures = os.path.join(scratch, "pristine"), os.path.join(scratch, "fixtures")
    subprocess.run([sys.executable, __file__, "--fixtures", pristine], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    import tensorflow as tf

    tf.keras.layers.Layer  # load Keras now: it is lazy, and each child would load it anew
    assert not initialised(), "importing TensorFlow initialised the context"

    def fresh():
        # Rows write beside what they read, and must not see each other's files.
        shutil.rmtree(fixtures, ignore_errors=True)
        shutil.copytree(pristine, fixtures)
        return fixtures

    def observed(entry, seen):
        if seen.get("queries_cuda") is not None and not cuda_is_observable:
            seen["queries_cuda"] = None
        if not devices_are_observable:
            seen["creates_devices"] = None
        return tidy(entry, seen)

    control = {"name": "", "setup": "", "expression": "tf.config.list_physical_devices()"}
    cuda_is_observable = bool(run_forked(control, fresh(), scratch).get("queries_cuda"))
    control["expression"] = "tf.constant(1)"
    devices_are_observable = bool(run_forked(control, fresh(), scratch).get("creates_devices"))
    step = int(arguments[1]) if arguments[:1] == ["--spawn"] else 1
    onto, only, end, report = "", "", float("inf"), {"names": []}
    if arguments[:1] == ["--onto"]:
        given = dict(zip(arguments[::2], arguments[1::2]))
        onto, only = given["--onto"], given.get("--only", "")
        end = time.time() + float(given.get("--seconds", "inf"))
        if os.path.exists(onto):
            with open(onto) as file:
                report = json.load(file)
    rows = report["names"]
    known = {same(one) for one in rows}
    for index in range(0, len(ROWS), step):
        entry = ROWS[index]
        if same(entry) in known or not re.search(only, entry["name"]):
            continue
        if time.time() > end:
            break
        seen = run_spawned(index, fresh(), scratch) if step > 1 else run_forked(entry, fresh(), scratch)
        rows.append(observed(entry, seen))
    rows.sort(key=lambda one: (one["name"], one.get("case", ""), one["expression"]))
    errors = report.get("raises", []) if step > 1 or onto else [tidy(entry, run_forked(entry, fresh(), scratch)) for entry in RAISES]
    for one in errors:
        one.setdefault("raised", None)
    report = {"versions": versions(), "imports": [import_row("import tensorflow"), import_row("import tensorflow as tf; tf.keras.layers.Layer")], "names": rows, "raises": errors}
    with open(onto, "w") if onto else contextlib.nullcontext(sys.stdout) as file:
        json.dump(report, file, indent=1, sort_keys=True, ensure_ascii=False)
        print(file=file)
    shutil.rmtree(scratch)


if __name__ == "__main__":
    main(sys.argv[1:])
