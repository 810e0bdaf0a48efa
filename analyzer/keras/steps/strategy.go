package steps

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/graph"
	"github.com/tfmem/tfmem/analyzer/interp"
	"github.com/tfmem/tfmem/analyzer/keras/pipelines"
	"github.com/tfmem/tfmem/analyzer/keras/state"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A strategy is a tf.distribute.Strategy. It runs a step on several devices at once, each with
// its part of the batch.
type strategy struct {
	state.Opaque
	h *state.Host
	*state.Distribution
}

// object returns the strategy as the program sees it.
func object(d *state.Distribution, h *state.Host) *strategy {
	return &strategy{state.Opaque{Base: d.Strategy}, h, d}
}

// newStrategy creates a strategy of a class of tf.distribute
// (tensorflow/python/distribute/distribute_lib.py, Strategy).
func newStrategy(h *state.Host, class string, args *value.Args) value.Value {
	s := &state.Distribution{Strategy: value.Base("a " + class), Replicas: 1}
	h.Strategies.Make(s)
	switch class {
	case "OneDeviceStrategy":
	case "MirroredStrategy":
		s.Replicas = h.GPUs()
		devices, given := args.Get(0, "devices")
		if _, none := devices.X.(value.None); given && !none {
			items, ok := objects.Sequence(devices)
			if s.Replicas = int64(len(items)); !ok {
				s.Replicas, s.Why = 0, value.Because(value.UnmodelledUse, "its devices are not known: %s", objects.Because(devices))
			}
		}
	default:
		if s.Why = elsewhere(class, h.GPUs()); s.Why != nil {
			s.Replicas = 0
		}
		if resolver, _ := args.Get(0, "tpu_cluster_resolver"); class == "TPUStrategy" && !resolver.Known() {
			return resolver // it raises
		}
	}
	return value.Value{X: object(s, h)}
}

// elsewhere says why it is not known what a GPU of this machine gets of a batch under a strategy,
// or returns nil.
func elsewhere(strategy string, gpus int64) *value.Cause {
	switch strategy {
	case "TPUStrategy":
		return value.Because(value.UnmodelledTraining, "under a TPUStrategy the step runs on the cores of a TPU, which have no memory of a GPU")
	case "MultiWorkerMirroredStrategy":
		// tensorflow/python/distribute/collective_all_reduce_strategy.py,
		// _initialize_multi_worker
		return value.Because(value.UnmodelledTraining, "a MultiWorkerMirroredStrategy divides each batch among the GPUs of all workers, and TF_CONFIG names them only at run time")
	case "CentralStorageStrategy":
		// The variables are on the GPU if there is one, and on the host if there are several
		// (tensorflow/python/distribute/parameter_server_strategy.py, _initialize_local).
		if gpus <= 1 {
			return nil
		}
		return value.Because(value.UnmodelledTraining, "a CentralStorageStrategy keeps the variables on the host where there are several GPUs, and what of them is on a GPU is not followed")
	case "ParameterServerStrategy":
		return value.Because(value.UnmodelledTraining, "under a ParameterServerStrategy the variables are on other machines, and what of them is on a GPU is not followed")
	}
	return value.Because(value.UnmodelledTraining, "the share of a batch that each worker of a %s gets is not followed", strategy)
}

// StrategyTable are the functions of tf.distribute, and those that return the devices of the
// machine. An estimate assumes the GPUs that models are compared with, or one GPU.
var StrategyTable = state.Table{
	"tensorflow.distribute.*": func(c *state.Call) value.Value {
		class := strings.TrimPrefix(c.Below("tensorflow.distribute"), "experimental.")
		if !strings.HasSuffix(class, "Strategy") || strings.Contains(class, ".") {
			return value.Value{}
		}
		return newStrategy(c.H, class, c.Args)
	},
	"tensorflow.distribute.get_strategy": func(c *state.Call) value.Value { return value.Value{X: currentStrategy(c.H)} },
	"tensorflow.distribute.has_strategy": func(c *state.Call) value.Value {
		s, _ := c.H.Strategies.Current()
		return value.Value{X: s != nil && !s.Standard}
	},
	"tensorflow.distribute.cluster_resolver.TPUClusterResolver": func(*state.Call) value.Value {
		// tensorflow/python/distribute/cluster_resolver/tpu/tpu_cluster_resolver.py, __init__
		return value.Raises(value.Because(value.WillRaise, "there are GPUs but no TPU"))
	},
	"tensorflow.distribute.get_replica_context": func(c *state.Call) value.Value {
		return value.Value{X: &replicaContext{state.Opaque{Base: "a replica's context"}, c.H}}
	},
	"tensorflow.config.list_physical_devices": listDevices, "tensorflow.config.experimental.list_physical_devices": listDevices,
	"tensorflow.config.list_logical_devices": listDevices, "tensorflow.config.experimental.list_logical_devices": listDevices,
	"tensorflow.config.get_visible_devices": listDevices, "tensorflow.config.experimental.get_visible_devices": listDevices,
}

// currentStrategy is tf.distribute.get_strategy.
func currentStrategy(h *state.Host) *strategy {
	if s, _ := h.Strategies.Current(); s != nil {
		return object(s, h)
	}
	return object((&state.Distribution{Strategy: "the default strategy", Replicas: 1, Standard: true}), h)
}

// distribute records the strategy under which a model is created, and runs
// (keras/src/backend/tensorflow/trainer.py, __init__).
func distribute(h *state.Host, m *graph.Model) {
	s, known := h.Strategies.Current()
	switch {
	case !known:
		m.IsDistributed = true // [Divide] sets the number of replicas at the end
	case s == nil || s.Standard:
		m.ReplicaCount = 1
	default:
		m.IsDistributed, m.ReplicaCount, m.Apart = true, s.Replicas, s.Why
	}
}

// Divide sets the number of replicas for models with an unknown strategy scope: the number that
// all strategies of the program have.
func Divide(h *state.Host, info *names.Info) {
	if h.Strategies.Missing() {
		for call, class := range strategies(info) { // a strategy in code that did not run
			args := &value.Args{Node: call}
			if devices := names.Argument(call, 0, "devices"); devices.Valid() {
				args.Keywords.Put("devices", h.Unknown(value.NotReached, "the code that makes the strategy was not reached"))
			}
			newStrategy(h, class, args)
		}
	}
	n, why := h.Strategies.Common()
	for _, m := range h.Program.Models {
		if m.ReplicaCount == 0 && m.Apart == nil {
			m.ReplicaCount, m.Apart = n, why
		}
	}
}

// strategies returns the calls of a module that create a strategy, with its class.
func strategies(info *names.Info) iter.Seq2[syntax.Node, string] {
	return func(yield func(syntax.Node, string) bool) {
		if !info.Mentions("Strategy") {
			return
		}
		for _, call := range info.Calls {
			class, ok := strings.CutPrefix(info.Callee(call), "tensorflow.distribute.")
			class = strings.TrimPrefix(class, "experimental.")
			if ok && strings.HasSuffix(class, "Strategy") && class != "Strategy" && !strings.Contains(class, ".") && !yield(call, class) {
				return
			}
		}
	}
}

// CallsStrategy reports whether a module creates a strategy anywhere.
func CallsStrategy(info *names.Info) bool {
	for range strategies(info) {
		return true
	}
	return false
}

// listDevices is tf.config.list_physical_devices and its like.
func listDevices(c *state.Call) value.Value {
	kind, _ := c.Args.Get(0, "device_type")
	n := int64(0)
	switch kind.X {
	case "GPU":
		n = c.H.GPUs()
	case "CPU":
		n = 1
	case "TPU":
	default:
		return value.Value{}
	}
	list := &value.List{}
	for range n {
		list.Items = append(list.Items, value.Value{X: state.Opaque{Base: "a device"}})
	}
	return value.Value{X: list}
}

// Enter is the beginning of with strategy.scope().
func (s *strategy) Enter(*value.Interp) value.Value {
	s.h.Strategies.Enter(s.Distribution)
	return value.Value{X: s}
}

// Exit is the end of it.
func (s *strategy) Exit(*value.Interp) { s.h.Strategies.Leave() }

func (s *strategy) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "scope":
		return objects.Method(func(*value.Interp, *value.Args) value.Value { return value.Value{X: s} })
	case "num_replicas_in_sync":
		return s.number(), true
	case "run", "experimental_run_v2":
		return objects.Method(s.run)
	case "reduce":
		return objects.Method(func(in *value.Interp, args *value.Args) value.Value {
			given, _ := args.Get(1, "value")
			axis, _ := args.Get(2, "axis")
			if _, whole := axis.X.(value.None); whole {
				return given
			}
			return interp.Call(in, value.Value{X: value.External{Name: "tensorflow.reduce_sum"}}, &value.Args{Positional: []value.Value{given, axis}, Node: args.Node})
		})
	case "experimental_distribute_dataset":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			data, _ := args.Get(0, "dataset")
			return data
		})
	case "distribute_datasets_from_function", "experimental_distribute_datasets_from_function":
		return objects.Method(s.datasets)
	case "experimental_local_results", "unwrap":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			if s.Replicas != 1 {
				return s.h.Unknown(value.UnmodelledTraining, "the results of all replicas")
			}
			return value.Value{X: value.Tuple{objects.First(args)}}
		})
	}
	return s.Base.GetAttr(in, name)
}

// number is num_replicas_in_sync.
func (s *strategy) number() value.Value {
	if s.Why != nil {
		return s.h.Unknown(value.BatchSize, "the number of replicas is not known: %s", s.Why)
	}
	return value.Value{X: s.Replicas}
}

// run is Strategy.run: a function on each replica, with its part of the arguments.
func (s *strategy) run(in *value.Interp, args *value.Args) value.Value {
	f, ok := args.Get(0, "fn")
	if !ok {
		return s.h.Unknown(value.UnmodelledTraining, "a strategy runs nothing")
	}
	call := &value.Args{Node: args.Node}
	if given, ok := args.Get(1, "args"); ok {
		items, ok := objects.Sequence(given)
		if _, none := given.X.(value.None); !ok && !none {
			return s.h.Unknown(value.UnmodelledTraining, "the arguments that a strategy passes on are not known: %s", objects.Because(given))
		}
		call.Positional = items
	}
	if given, ok := args.Get(2, "kwargs"); ok {
		d, ok := given.X.(*value.Dict)
		if _, none := given.X.(value.None); !none && (!ok || d.Open != nil) {
			return s.h.Unknown(value.UnmodelledTraining, "the arguments that a strategy passes on are not known: %s", objects.Because(given))
		}
		if ok {
			for i, k := range d.Keys {
				if name, ok := k.X.(string); ok {
					call.Keywords.Put(name, d.Values[i])
				}
			}
		}
	}
	return s.h.Strategies.Run(s.Distribution, func() value.Value { return interp.Call(in, f, call) })
}

// datasets is distribute_datasets_from_function. Its function gets the context of one pipeline
// and returns the batches of one replica.
func (s *strategy) datasets(in *value.Interp, args *value.Args) value.Value {
	f, _ := args.Get(0, "dataset_fn")
	made := interp.Call(in, f, &value.Args{Positional: []value.Value{{X: &inputContext{state.Opaque{Base: "an input context"}, s}}}, Node: args.Node})
	d, ok := made.X.(*pipelines.Dataset)
	if !ok || !d.Batched {
		return made
	}
	whole := *d
	n, known := d.Batch.Int()
	switch {
	case s.Why != nil:
		whole.Batch = s.number()
	case known && s.Replicas != 1:
		whole.Batch, whole.Batches = value.Value{X: n * s.Replicas}, slices.Clone(d.Batches)
		for i, part := range d.Batches {
			if n, ok := part.Int(); ok {
				whole.Batches[i] = value.Value{X: n * s.Replicas}
			}
		}
	}
	return value.Value{X: &whole}
}

// inputContext is a tf.distribute.InputContext, of the one pipeline of one machine.
type inputContext struct {
	state.Opaque
	of *strategy
}

func (c *inputContext) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "num_input_pipelines":
		return value.Value{X: int64(1)}, c.of.Why == nil
	case "input_pipeline_id":
		return value.Value{X: int64(0)}, c.of.Why == nil
	case "num_replicas_in_sync":
		return c.of.number(), true
	case "get_per_replica_batch_size":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			whole, _ := args.Get(0, "global_batch_size")
			n, ok := whole.Int()
			switch {
			case c.of.Why != nil:
				return c.of.number()
			case !ok || n%c.of.Replicas != 0: // it raises
				return c.of.h.Unknown(value.UnmodelledTraining, "the part of a replica is not known: %s", objects.Because(whole))
			case c.of.Replicas == 1:
				return whole
			}
			return value.Value{X: n / c.of.Replicas}
		})
	}
	return c.Base.GetAttr(in, name)
}

// replicaContext is what tf.distribute.get_replica_context returns.
type replicaContext struct {
	state.Opaque
	h *state.Host
}

func (c *replicaContext) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "all_reduce":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v, _ := args.Get(1, "value")
			return v
		})
	case "num_replicas_in_sync", "strategy":
		of := currentStrategy(c.h)
		if name == "strategy" {
			return value.Value{X: of}, true
		}
		return of.number(), true
	}
	return c.Base.GetAttr(in, name)
}
