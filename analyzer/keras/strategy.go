package keras

import (
	"iter"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/objects"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/value"
)

// A strategy is a tf.distribute.Strategy. It runs a step on several devices at once, each with
// its part of the batch.
type strategy struct {
	opaque
	h *host
	*distribution
}

// A distribution is how a strategy divides a batch.
type distribution struct {
	strategy base // its name in reasons
	// replicas is the number of replicas; 0 if why says why that is not known.
	replicas int64
	why      *value.Cause
	standard bool // the default one, if the program creates none
}

// object returns the strategy as the program sees it.
func (d *distribution) object(h *host) *strategy { return &strategy{opaque{d.strategy}, h, d} }

// newStrategy creates a strategy of a class of tf.distribute
// (tensorflow/python/distribute/distribute_lib.py, Strategy).
func (h *host) newStrategy(class string, args *value.Args) value.Value {
	s := &distribution{strategy: base("a " + class), replicas: 1}
	h.allStrategies = append(h.allStrategies, s)
	switch class {
	case "OneDeviceStrategy":
	case "MirroredStrategy":
		s.replicas = h.gpus()
		devices, given := args.Get(0, "devices")
		if _, none := devices.X.(value.None); given && !none {
			items, ok := objects.Sequence(devices)
			if s.replicas = int64(len(items)); !ok {
				s.replicas, s.why = 0, value.Because(value.UnmodelledUse, "its devices are not known: %s", objects.Because(devices))
			}
		}
	default:
		if s.why = elsewhere(class, h.gpus()); s.why != nil {
			s.replicas = 0
		}
		if resolver, _ := args.Get(0, "tpu_cluster_resolver"); class == "TPUStrategy" && !resolver.Known() {
			return resolver // it raises
		}
	}
	return value.Value{X: s.object(h)}
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
	return value.Because(value.UnmodelledTraining, "what each worker of a %s gets of a batch is not followed", strategy)
}

// strategyTable are the functions of tf.distribute, and those that return the devices of the
// machine. An estimate assumes the GPUs that models are compared with, or one GPU.
var strategyTable = table{
	"tensorflow.distribute.*": func(c *hostCall) value.Value {
		class := strings.TrimPrefix(c.below("tensorflow.distribute"), "experimental.")
		if !strings.HasSuffix(class, "Strategy") || strings.Contains(class, ".") {
			return value.Value{}
		}
		return c.h.newStrategy(class, c.args)
	},
	"tensorflow.distribute.get_strategy": func(c *hostCall) value.Value { return value.Value{X: c.h.strategy()} },
	"tensorflow.distribute.has_strategy": func(c *hostCall) value.Value {
		s, _ := c.h.current()
		return value.Value{X: s != nil && !s.standard}
	},
	"tensorflow.distribute.cluster_resolver.TPUClusterResolver": func(*hostCall) value.Value {
		// tensorflow/python/distribute/cluster_resolver/tpu/tpu_cluster_resolver.py, __init__
		return value.Raises(value.Because(value.WillRaise, "there are GPUs but no TPU"))
	},
	"tensorflow.distribute.get_replica_context": func(c *hostCall) value.Value {
		return value.Value{X: &replicaContext{opaque{"a replica's context"}, c.h}}
	},
	"tensorflow.config.list_physical_devices": listDevices, "tensorflow.config.experimental.list_physical_devices": listDevices,
	"tensorflow.config.list_logical_devices": listDevices, "tensorflow.config.experimental.list_logical_devices": listDevices,
	"tensorflow.config.get_visible_devices": listDevices, "tensorflow.config.experimental.get_visible_devices": listDevices,
}

// strategy is tf.distribute.get_strategy.
func (h *host) strategy() *strategy {
	if s, _ := h.current(); s != nil {
		return s.object(h)
	}
	return (&distribution{strategy: "the default strategy", replicas: 1, standard: true}).object(h)
}

// current returns the strategy of the current scope. known is false if the program creates a
// strategy and no scope of one is known.
func (h *host) current() (s *distribution, known bool) {
	if n := len(h.strategies); n > 0 {
		return h.strategies[n-1], true
	}
	return nil, !h.strategic || h.scoped
}

// distribute records the strategy under which a model is created, and runs
// (keras/src/backend/tensorflow/trainer.py, __init__).
func (h *host) distribute(m *Model) {
	s, known := h.current()
	switch {
	case !known:
		m.distributed = true // [host.divide] sets the number of replicas at the end
	case s == nil || s.standard:
		m.replicas = 1
	default:
		m.distributed, m.replicas, m.apart = true, s.replicas, s.why
	}
}

// divide sets the number of replicas for models with an unknown strategy scope: the number that
// all strategies of the program have.
func (h *host) divide(info *names.Info) {
	if h.strategic && len(h.allStrategies) == 0 {
		for call, class := range strategies(info) { // a strategy in code that did not run
			args := &value.Args{Node: call}
			if devices := names.Argument(call, 0, "devices"); devices.Valid() {
				args.Keywords.Put("devices", h.unknown(value.NotReached, "the code that makes the strategy was not reached"))
			}
			h.newStrategy(class, args)
		}
	}
	var n int64
	var why *value.Cause
	for i, s := range h.allStrategies {
		switch {
		case s.why != nil:
			n, why = 0, s.why
		case i == 0:
			n = s.replicas
		case why == nil && n != s.replicas:
			n, why = 0, value.Because(value.UnmodelledTraining, "the program makes strategies of different numbers of replicas, and under which of them it trains is not known")
		}
	}
	for _, m := range h.program.Models {
		if m.replicas == 0 && m.apart == nil {
			m.replicas, m.apart = n, why
		}
	}
}

// Replicas returns the number of replicas that share the batches of fit, or why it is not known.
func (m *Model) Replicas() (n int64, why *value.Cause) { return m.replicas, m.apart }

// Distributed reports whether the model is created under a strategy, or may be.
func (m *Model) Distributed() bool { return m.distributed }

// Shared returns the number of replicas that share a batch, or why it is not known.
func (u *ModelCall) Shared() (n int64, why *value.Cause) {
	if u.Method == "step" {
		return u.replicas, u.apart
	}
	return u.Model.Replicas()
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

// callsStrategy reports whether a module creates a strategy anywhere.
func callsStrategy(info *names.Info) bool {
	for range strategies(info) {
		return true
	}
	return false
}

// listDevices is tf.config.list_physical_devices and its like.
func listDevices(c *hostCall) value.Value {
	kind, _ := c.args.Get(0, "device_type")
	n := int64(0)
	switch kind.X {
	case "GPU":
		n = c.h.gpus()
	case "CPU":
		n = 1
	case "TPU":
	default:
		return value.Value{}
	}
	list := &value.List{}
	for range n {
		list.Items = append(list.Items, value.Value{X: opaque{"a device"}})
	}
	return value.Value{X: list}
}

// Enter is the beginning of with strategy.scope().
func (s *strategy) Enter(*value.Interp) value.Value {
	s.h.strategies, s.h.scoped = append(s.h.strategies, s.distribution), true
	return value.Value{X: s}
}

// Exit is the end of it.
func (s *strategy) Exit(*value.Interp) {
	if n := len(s.h.strategies); n > 0 {
		s.h.strategies = s.h.strategies[:n-1]
	}
}

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
			return in.Call(value.Value{X: value.External{Name: "tensorflow.reduce_sum"}}, &value.Args{Positional: []value.Value{given, axis}, Node: args.Node})
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
			if s.replicas != 1 {
				return s.h.unknown(value.UnmodelledTraining, "the results of all replicas")
			}
			return value.Value{X: value.Tuple{objects.First(args)}}
		})
	}
	return s.base.GetAttr(in, name)
}

// sharing returns how many replicas share the batch of the running code, or why that is not
// known.
func (h *host) sharing() (n int64, why *value.Cause) {
	if h.replicated == 0 {
		return 1, nil
	}
	s := h.strategies[len(h.strategies)-1]
	return s.replicas, s.why
}

// number is num_replicas_in_sync.
func (s *strategy) number() value.Value {
	if s.why != nil {
		return s.h.unknown(value.BatchSize, "how many replicas there are is not known: %s", s.why)
	}
	return value.Value{X: s.replicas}
}

// run is Strategy.run: a function on each replica, with its part of the arguments.
func (s *strategy) run(in *value.Interp, args *value.Args) value.Value {
	f, ok := args.Get(0, "fn")
	if !ok {
		return s.h.unknown(value.UnmodelledTraining, "a strategy runs nothing")
	}
	call := &value.Args{Node: args.Node}
	if given, ok := args.Get(1, "args"); ok {
		items, ok := objects.Sequence(given)
		if _, none := given.X.(value.None); !ok && !none {
			return s.h.unknown(value.UnmodelledTraining, "what a strategy passes on is not known: %s", objects.Because(given))
		}
		call.Positional = items
	}
	if given, ok := args.Get(2, "kwargs"); ok {
		d, ok := given.X.(*value.Dict)
		if _, none := given.X.(value.None); !none && (!ok || d.Open != nil) {
			return s.h.unknown(value.UnmodelledTraining, "what a strategy passes on is not known: %s", objects.Because(given))
		}
		if ok {
			for i, k := range d.Keys {
				if name, ok := k.X.(string); ok {
					call.Keywords.Put(name, d.Values[i])
				}
			}
		}
	}
	s.Enter(in)
	defer s.Exit(in)
	s.h.replicated++
	defer func() { s.h.replicated-- }()
	return in.Call(f, call)
}

// datasets is distribute_datasets_from_function. Its function gets the context of one pipeline
// and returns the batches of one replica.
func (s *strategy) datasets(in *value.Interp, args *value.Args) value.Value {
	f, _ := args.Get(0, "dataset_fn")
	made := in.Call(f, &value.Args{Positional: []value.Value{{X: &inputContext{opaque{"an input context"}, s}}}, Node: args.Node})
	d, ok := made.X.(*dataset)
	if !ok || !d.Batched {
		return made
	}
	whole := *d
	n, known := d.Batch.Int()
	switch {
	case s.why != nil:
		whole.Batch = s.number()
	case known && s.replicas != 1:
		whole.Batch, whole.Batches = value.Value{X: n * s.replicas}, slices.Clone(d.Batches)
		for i, part := range d.Batches {
			if n, ok := part.Int(); ok {
				whole.Batches[i] = value.Value{X: n * s.replicas}
			}
		}
	}
	return value.Value{X: &whole}
}

// inputContext is a tf.distribute.InputContext, of the one pipeline of one machine.
type inputContext struct {
	opaque
	of *strategy
}

func (c *inputContext) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "num_input_pipelines":
		return value.Value{X: int64(1)}, c.of.why == nil
	case "input_pipeline_id":
		return value.Value{X: int64(0)}, c.of.why == nil
	case "num_replicas_in_sync":
		return c.of.number(), true
	case "get_per_replica_batch_size":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			whole, _ := args.Get(0, "global_batch_size")
			n, ok := whole.Int()
			switch {
			case c.of.why != nil:
				return c.of.number()
			case !ok || n%c.of.replicas != 0: // it raises
				return c.of.h.unknown(value.UnmodelledTraining, "the part of a replica is not known: %s", objects.Because(whole))
			case c.of.replicas == 1:
				return whole
			}
			return value.Value{X: n / c.of.replicas}
		})
	}
	return c.base.GetAttr(in, name)
}

// replicaContext is what tf.distribute.get_replica_context returns.
type replicaContext struct {
	opaque
	h *host
}

func (c *replicaContext) GetAttr(in *value.Interp, name string) (value.Value, bool) {
	switch name {
	case "all_reduce":
		return objects.Method(func(_ *value.Interp, args *value.Args) value.Value {
			v, _ := args.Get(1, "value")
			return v
		})
	case "num_replicas_in_sync", "strategy":
		of := c.h.strategy()
		if name == "strategy" {
			return value.Value{X: of}, true
		}
		return of.number(), true
	}
	return c.base.GetAttr(in, name)
}
