// Package dataset follows tf.data pipelines through a program, from their
// source over assignments, chains, helper functions and returns, and says
// whether the elements are batches.
//
// It says only what the code proves: a pipeline with a step that is not known,
// or that differs between paths, is Unknown. It knows names and effects and no
// rule.
package dataset

import (
	"strings"

	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
)

// A State says what the elements of a dataset are.
type State uint8

const (
	// NotDataset is an expression that is not known to be a dataset at all.
	NotDataset State = iota
	// Unknown is a dataset of which it is not known whether it is batched.
	Unknown
	// Unbatched elements are single examples.
	Unbatched
	// Batched elements are batches, by a step of the pipeline or by its source.
	Batched
)

// A Dataset is what is known of a pipeline.
type Dataset struct {
	State State
	// Source is the call that the pipeline starts with, where there is one.
	Source syntax.Node
	// Steps counts the methods between the source and the expression.
	Steps int

	loaded bool // by tfds.load, whose result may be indexed by split
}

// sources are the calls that make a dataset, and what its elements are.
// Elements of from_generator may be batches already; from_tensors makes one
// element of everything.
var sources = map[string]State{
	"tensorflow.data.Dataset.from_tensor_slices": Unbatched,
	"tensorflow.data.Dataset.from_tensors":       Batched,
	"tensorflow.data.Dataset.from_generator":     Unknown,
	"tensorflow.data.Dataset.range":              Unbatched,
	"tensorflow.data.Dataset.list_files":         Unbatched,
	"tensorflow.data.Dataset.random":             Unbatched,
	"tensorflow.data.Dataset.load":               Unknown,
	"tensorflow.data.TFRecordDataset":            Unbatched,
	"tensorflow.data.TextLineDataset":            Unbatched,
	"tensorflow.data.FixedLengthRecordDataset":   Unbatched,
	"tensorflow.data.experimental.CsvDataset":    Unbatched,

	"tensorflow.data.experimental.make_csv_dataset":              Batched,
	"tensorflow.data.experimental.make_batched_features_dataset": Batched,
	"tensorflow.keras.utils.image_dataset_from_directory":        Batched,
	"tensorflow.keras.utils.text_dataset_from_directory":         Batched,
	"tensorflow.keras.utils.audio_dataset_from_directory":        Batched,
	"tensorflow.keras.utils.timeseries_dataset_from_array":       Batched,
	"tensorflow_datasets.load":                                   Unbatched,
}

// batchArgument lists the sources that batch by an argument: with None they do
// not, without it they do as sources says.
var batchArgument = map[string]string{
	"tensorflow_datasets.load":                             "batch_size",
	"tensorflow.keras.utils.image_dataset_from_directory":  "batch_size",
	"tensorflow.keras.utils.text_dataset_from_directory":   "batch_size",
	"tensorflow.keras.utils.audio_dataset_from_directory":  "batch_size",
	"tensorflow.keras.utils.timeseries_dataset_from_array": "batch_size",
}

// A step is what a method of a dataset makes of its elements.
type step uint8

const (
	keeps    step = iota + 1 // elements stay what they are
	batches                  // elements become batches
	unbatch                  // batches become elements
	function                 // as the function it is given says
	opaque                   // not known
)

var steps = map[string]step{
	"batch": batches, "padded_batch": batches, "ragged_batch": batches, "bucket_by_sequence_length": batches,
	"sparse_batch": batches, "rebatch": batches, "window": batches, "group_by_window": opaque,
	"unbatch": unbatch,
	"shuffle": keeps, "repeat": keeps, "prefetch": keeps, "cache": keeps, "take": keeps, "skip": keeps,
	"shard": keeps, "filter": keeps, "with_options": keeps, "snapshot": keeps, "take_while": keeps,
	"unique": keeps, "assert_cardinality": keeps, "ignore_errors": keeps, "map": function, "apply": opaque,
	"interleave": opaque, "flat_map": opaque, "concatenate": opaque, "enumerate": opaque, "scan": opaque,
}

// A Tracer follows the datasets of one module, through the others of its program.
type Tracer struct {
	info   *names.Info
	calls  map[*names.Function][]syntax.Node
	busy   map[visit]bool // expressions being followed
	budget int            // steps left, so that no program takes long
}

// A visit is of an expression, in the function that one call runs.
type visit struct {
	node syntax.Node
	env  *environment
}

// NewTracer returns a tracer for a module.
func NewTracer(info *names.Info) *Tracer {
	return &Tracer{info: info, busy: map[visit]bool{}}
}

// An environment binds a function's parameters to what one call passes.
type environment struct {
	function *names.Function
	call     syntax.Node
	outer    *environment
}

// Of follows the dataset that an expression stands for.
func (t *Tracer) Of(n syntax.Node) Dataset {
	t.budget = 2000
	return t.of(n, nil)
}

var nothing = Dataset{}

func (t *Tracer) of(n syntax.Node, env *environment) Dataset {
	here := visit{n, env}
	if t.budget--; t.budget < 0 || !n.Valid() || t.busy[here] {
		return nothing
	}
	t.busy[here] = true
	defer delete(t.busy, here)
	switch n.Kind() {
	case syntax.ParenthesizedExpression:
		return t.of(n.FirstChild(), env)
	case syntax.NamedExpression:
		return t.of(n.Child(syntax.FieldValue), env)
	case syntax.ConditionalExpression:
		value := n.FirstChild()
		return merge(t.of(value, env), t.of(value.Next().Next(), env))
	case syntax.Identifier:
		if reaching := t.info.Reaching(n); len(reaching) > 0 {
			return t.bindings(reaching, env)
		}
		return t.bindings(t.info.Starred(n), nil)
	case syntax.Attribute:
		object, name := n.Child(syntax.FieldObject), n.Child(syntax.FieldAttribute).Text()
		if ty := t.info.TypeOf(object); ty.Local != nil {
			return t.bindings(t.info.Attribute(ty.Local, name), nil)
		}
		if m := t.info.ModuleOf(object); m != nil {
			return t.bindings(m.Exports(name), nil)
		}
	case syntax.Subscript:
		// tfds.load without a split is a dictionary of datasets.
		if d := t.of(n.Child(syntax.FieldValue), env); d.loaded {
			return d
		}
	case syntax.Call:
		return t.call(n, env)
	}
	return nothing
}

// merge is what holds where either may be meant.
func merge(a, b Dataset) Dataset {
	switch {
	case a.State == NotDataset || b.State == NotDataset:
		return nothing
	case a.State != b.State:
		return Dataset{State: Unknown}
	}
	return a
}

func (t *Tracer) bindings(bindings []*names.Binding, env *environment) Dataset {
	var found Dataset
	first := true
	for _, b := range bindings {
		if t.busy[visit{b.Value, env}] {
			continue // ds = ds.map(f) in a loop adds nothing of its own
		}
		d := t.binding(b, env)
		if first {
			found, first = d, false
		} else {
			found = merge(found, d)
		}
	}
	return found
}

func (t *Tracer) binding(b *names.Binding, env *environment) Dataset {
	switch b.Kind {
	case names.AssignBinding:
		return t.of(b.Value, env)
	case names.ParameterBinding:
		return t.parameter(b, env)
	case names.UnpackBinding:
		return t.item(b.Value, b.Path, env)
	case names.FromBinding:
		// What another module of the program binds when it is imported.
		return t.bindings(t.info.Origin(b), nil)
	}
	return nothing
}

// item is the dataset at a path of indexes into a tuple.
func (t *Tracer) item(n syntax.Node, path []int, env *environment) Dataset {
	if len(path) == 0 || !n.Valid() {
		return nothing
	}
	switch n.Kind() {
	case syntax.Tuple, syntax.ExpressionList, syntax.List:
		element := names.Element(n, path[0])
		if len(path) > 1 {
			return t.item(element, path[1:], env)
		}
		return t.of(element, env)
	case syntax.ParenthesizedExpression:
		return t.item(n.FirstChild(), path, env)
	case syntax.Call:
		if t.info.Callee(n) == "tensorflow_datasets.load" {
			// Datasets by split, or the pair of them and their description.
			if names.Argument(n, -1, "with_info").Kind() == syntax.True && path[0] > 0 {
				return nothing
			}
			return t.source(n, "tensorflow_datasets.load")
		}
		if f := t.info.Target(n.Child(syntax.FieldFunction)).Function; f != nil && !f.Yields {
			inner := &environment{f, n, env}
			return t.all(f.Returns, func(r syntax.Node) Dataset { return t.item(r, path, inner) })
		}
	}
	return nothing
}

// all is what holds for all expressions.
func (t *Tracer) all(expressions []syntax.Node, of func(syntax.Node) Dataset) Dataset {
	var found Dataset
	for i, n := range expressions {
		if d := of(n); i == 0 {
			found = d
		} else {
			found = merge(found, d)
		}
	}
	return found
}

// parameter is what the call passes, or, where the function is entered from
// outside, what all calls of it pass.
func (t *Tracer) parameter(b *names.Binding, env *environment) Dataset {
	f := b.Scope.Func
	if f == nil {
		return nothing
	}
	for e := env; e != nil; e = e.outer {
		if e.function == f {
			return t.of(argument(f, e.call, b.Name), e.outer)
		}
	}
	return t.all(t.callers()[f], func(call syntax.Node) Dataset { return t.of(argument(f, call, b.Name), nil) })
}

// argument is the expression a call of f passes for a parameter; f may be a
// method, called on an instance.
func argument(f *names.Function, call syntax.Node, name string) syntax.Node {
	position := -1
	for i, p := range f.Params {
		if p.Name == name && p.Star == 0 {
			position = i
			if p.KeywordOnly {
				position = -1
			} else if f.Class != nil && !f.IsStatic() {
				position--
			}
			return names.Argument(call, position, name)
		}
	}
	return syntax.Node{}
}

func (t *Tracer) callers() map[*names.Function][]syntax.Node {
	if t.calls == nil {
		t.calls = map[*names.Function][]syntax.Node{}
		for _, call := range t.info.Calls {
			if f := t.info.Target(call.Child(syntax.FieldFunction)).Function; f != nil {
				t.calls[f] = append(t.calls[f], call)
			}
		}
	}
	return t.calls
}

func (t *Tracer) call(n syntax.Node, env *environment) Dataset {
	function := n.Child(syntax.FieldFunction)
	if q := t.info.Qualified(function); q != "" {
		if _, ok := sources[q]; ok {
			return t.source(n, q)
		}
		if q == "tensorflow.data.Dataset.zip" {
			return t.zip(n, env)
		}
	}
	if f := t.info.Target(function).Function; f != nil {
		if f.Yields {
			return nothing
		}
		inner := &environment{f, n, env}
		return t.all(f.Returns, func(r syntax.Node) Dataset { return t.of(r, inner) })
	}
	if function.Kind() != syntax.Attribute {
		return nothing
	}
	object, method := function.Child(syntax.FieldObject), function.Child(syntax.FieldAttribute).Text()
	if method == "experimental_distribute_dataset" && t.info.IsA(t.info.TypeOf(object).Class, "tensorflow.distribute.Strategy") {
		return t.of(names.Argument(n, 0, "dataset"), env)
	}
	d := t.of(object, env)
	if d.State == NotDataset {
		return nothing
	}
	return t.step(d, method, n)
}

func (t *Tracer) step(d Dataset, method string, call syntax.Node) Dataset {
	d.Steps++
	d.loaded = false
	switch steps[method] {
	case keeps:
	case batches:
		d.State = Batched
	case unbatch:
		d.State = Unbatched
	case function:
		if t.mayBatch(names.Argument(call, 0, "map_func"), map[*names.Function]bool{}) {
			d.State = Unknown
		}
	case opaque:
		d.State = Unknown
	default:
		return nothing
	}
	return d
}

func (t *Tracer) source(call syntax.Node, name string) Dataset {
	d := Dataset{State: sources[name], Source: call, loaded: name == "tensorflow_datasets.load"}
	if keyword := batchArgument[name]; keyword != "" {
		argument := names.Argument(call, -1, keyword)
		switch {
		case names.HasSplat(call):
			d.State = Unknown
		case argument.Kind() == syntax.NoneLiteral:
			d.State = Unbatched
		case argument.Valid():
			d.State = Batched
		}
	}
	if name == "tensorflow.data.Dataset.from_tensor_slices" && AddsDimension(call) {
		d.State = Unknown
	}
	return d
}

func (t *Tracer) zip(call syntax.Node, env *environment) Dataset {
	parts := call.Child(syntax.FieldArguments)
	if first := names.Element(parts, 0); first.Is(syntax.Tuple) {
		parts = first // Dataset.zip((a, b)); since TensorFlow 2.13 also zip(a, b)
	}
	var of []syntax.Node
	for c := range parts.Children() {
		switch c.Kind() {
		case syntax.Comment:
		case syntax.Identifier, syntax.Attribute, syntax.Call, syntax.Subscript, syntax.ParenthesizedExpression:
			of = append(of, c)
		default:
			return Dataset{State: Unknown, Source: call}
		}
	}
	if len(of) < 2 {
		return Dataset{State: Unknown, Source: call}
	}
	return t.all(of, func(c syntax.Node) Dataset { return t.of(c, env) })
}

// mayBatch tells whether the function that map is given may make batches of
// elements itself: it is not of this module, or it, or a function of the module
// that it calls, adds a dimension.
func (t *Tracer) mayBatch(n syntax.Node, seen map[*names.Function]bool) bool {
	f := t.info.Target(n).Function
	if f == nil {
		// A function of TensorFlow works on an element at a time, as decode_jpeg,
		// but for those that are there to change its shape.
		q := t.info.Qualified(n)
		return !strings.HasPrefix(q, "tensorflow.") || addsDimension[q[strings.LastIndexByte(q, '.')+1:]]
	}
	if seen[f] {
		return false
	}
	seen[f] = true
	if AddsDimension(f.Node) {
		return true
	}
	may := false
	f.Node.Walk(func(m syntax.Node) bool {
		if m.Kind() == syntax.Call {
			if function := m.Child(syntax.FieldFunction); t.info.Target(function).Function != nil {
				may = may || t.mayBatch(function, seen)
			}
		}
		return !may
	})
	return may
}

// addsDimension are the names of what may make a leading dimension whatever it is
// given.
var addsDimension = map[string]bool{
	"stack": true, "reshape": true, "batch": true, "py_function": true,
	"numpy_function": true, "parse_example": true, "split": true, "ragged": true, "tile": true,
}

// AddsDimension tells whether code makes a dimension that may be that of a
// batch: expand_dims, a leading index of None, reshape, a batched parse.
func AddsDimension(n syntax.Node) bool {
	found := false
	n.Walk(func(m syntax.Node) bool {
		switch m.Kind() {
		case syntax.Identifier:
			found = found || addsDimension[m.Text()]
		case syntax.Call:
			if f := m.Child(syntax.FieldFunction).Text(); f == "expand_dims" || strings.HasSuffix(f, ".expand_dims") {
				axis := names.Argument(m, 1, "axis").Text()
				found = found || axis == "" || !strings.HasPrefix(axis, "-") && (axis[0] < '1' || axis[0] > '9')
			}
		case syntax.Subscript:
			switch index := m.Child(syntax.FieldSubscript); {
			case index.Kind() == syntax.NoneLiteral, strings.HasSuffix(index.Text(), "newaxis"):
				found = true
			}
		}
		return !found
	})
	return found
}
