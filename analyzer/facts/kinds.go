package facts

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tfmem/tfmem/analyzer/arrays/numpy"
	"github.com/tfmem/tfmem/analyzer/effects"
	"github.com/tfmem/tfmem/analyzer/facts/origins"
	"github.com/tfmem/tfmem/analyzer/names"
	"github.com/tfmem/tfmem/analyzer/syntax"
	"github.com/tfmem/tfmem/analyzer/tensor"
)

// Kinds are a set of what a value may be.
type Kinds uint16

const (
	Tensor     Kinds = 1 << iota // of TensorFlow, or a variable
	Array                        // of NumPy
	Int                          // of Python, or a bool
	Float                        // of Python
	Text                         // a string
	List                         // of Python
	Container                    // another of Python's: a tuple, a dict, a set
	Model                        // or a layer, a metric, a loss
	Optimizer                    // of TensorFlow
	Dataset                      // of tf.data
	NoValue                      // None
	FromCaller                   // what code outside of the program passes
	Unknown
	kindsEnd

	Number = Int | Float
)

// Surely reports whether a value is one of some kinds, whichever origin it has.
func (k Kinds) Surely(of Kinds) bool { return k != 0 && k&^of == 0 }

// May reports whether a value is one of some kinds in some way through the code.
func (k Kinds) May(of Kinds) bool { return k&of != 0 }

// Kinds returns what the value of an expression may be.
func (f *Facts) Kinds(n syntax.Node, in *origins.Call) Kinds {
	return f.KindsAt(origins.Place{Node: n, In: in})
}

// KindsAt is Kinds for a place.
func (f *Facts) KindsAt(p origins.Place) Kinds {
	q := kindQuery{Facts: f, assumed: map[origins.Key]Kinds{}}
	for {
		q.known, q.open, q.again = map[origins.Key]Kinds{}, map[origins.Key]bool{}, false
		if found := q.of(p); !q.again {
			return found
		}
	}
}

// A kindQuery is one question. A value that is made of itself, as by x = x + 1 in a loop, is first taken to
// be nothing, and then, until that does not change any more, what the time before said.
type kindQuery struct {
	*Facts
	known, assumed map[origins.Key]Kinds
	open           map[origins.Key]bool // set while a place is answered; true if somebody asked for it then
	again          bool
}

func (q *kindQuery) of(p origins.Place) Kinds {
	defer q.info.Enter(p.Node).Leave()
	k := p.Key()
	if _, open := q.open[k]; open {
		q.open[k] = true
		return q.assumed[k]
	}
	if known, ok := q.known[k]; ok {
		return known
	}
	q.open[k] = false
	all := q.assumed[k]
	for _, origin := range q.origins.Of(p) {
		all |= q.origin(origin)
	}
	q.again = q.again || q.open[k] && all != q.assumed[k]
	q.assumed[k], q.known[k] = all, all
	delete(q.open, k)
	return all
}

// origin returns the kinds of an origin, or those of its parts.
func (q *kindQuery) origin(p origins.Place) Kinds {
	if len(p.Path) == 1 && p.Path[0] != 0 && q.StepsEnvironment(p.Node) {
		return Number // the reward, or a flag
	}
	kinds := q.whole(p)
	if len(p.Path) == 0 || p.Node.Kind() == syntax.Identifier {
		return kinds
	}
	return kinds.part()
}

// part returns the kinds of an item.
func (k Kinds) part() Kinds {
	const ofParts = Tensor | Array | Text | FromCaller
	if k&^ofParts != 0 {
		return k&ofParts | Unknown
	}
	return k
}

func (q *kindQuery) whole(p origins.Place) Kinds {
	n := p.Node
	of := func(n syntax.Node) Kinds { return q.of(origins.Place{Node: n, In: p.In}) }
	switch n.Kind() {
	case syntax.Integer, syntax.True, syntax.False, syntax.NotOperator:
		return Int
	case syntax.Float:
		return Float
	case syntax.String, syntax.ConcatenatedString:
		return Text
	case syntax.NoneLiteral:
		return NoValue
	case syntax.List, syntax.ListComprehension:
		return List
	case syntax.Tuple, syntax.ExpressionList, syntax.Dictionary, syntax.Set, syntax.SetComprehension, syntax.DictionaryComprehension:
		return Container
	case syntax.UnaryOperator:
		return of(n.Child(syntax.FieldArgument))
	case syntax.BinaryOperator, syntax.AugmentedAssignment:
		return operated(of(n.Child(syntax.FieldLeft)), of(n.Child(syntax.FieldRight)), strings.TrimSuffix(n.Child(syntax.FieldOperator).Text(), "="))
	case syntax.Subscript:
		whole := of(n.Child(syntax.FieldValue))
		if n.Child(syntax.FieldSubscript).Kind() == syntax.Slice {
			return whole&(List|Container) | (whole &^ (List | Container)).part()
		}
		return whole.part()
	case syntax.Attribute:
		switch n.Child(syntax.FieldAttribute).Text() {
		case "shape":
			return Container
		case "T":
			return of(n.Child(syntax.FieldObject)).part()
		}
		if typed := q.typed(n); typed != Unknown {
			return typed
		}
		return q.attribute(p)
	case syntax.Identifier:
		return q.name(p)
	case syntax.Call:
		return q.call(p)
	}
	return Unknown
}

// attribute returns the kinds of an attribute of an object that callers pass.
func (q *kindQuery) attribute(p origins.Place) (all Kinds) {
	object, name := p.Node.Child(syntax.FieldObject), p.Node.Child(syntax.FieldAttribute).Text()
	for _, made := range q.origins.Of(origins.Place{Node: object, In: p.In}) {
		class := q.info.TypeOf(made.Node).Local
		if class == nil || len(made.Path) > 0 {
			return Unknown
		}
		bindings := q.info.Attribute(class, name)
		if len(bindings) == 0 {
			return Unknown
		}
		for _, b := range bindings {
			if b.Kind != names.AssignBinding {
				return Unknown
			}
			all |= q.of(origins.Place{Node: b.Value})
		}
	}
	return cmp.Or(all, Unknown)
}

// operated returns the kinds of the result of an operator. A tensor makes a tensor of any other operand.
func operated(a, b Kinds, operator string) (all Kinds) {
	for x := Tensor; x < kindsEnd; x <<= 1 {
		for y := Tensor; y < kindsEnd; y <<= 1 {
			if a&x == 0 || b&y == 0 {
				continue
			}
			switch of := x | y; {
			case of&Tensor != 0:
				all |= Tensor
			case of&(Unknown|FromCaller) != 0:
				all |= of&Array | Unknown
			case of&Array != 0:
				all |= Array
			case of&(Text|List|Container) != 0:
				all |= of & (Text | List | Container)
			case !of.Surely(Number):
				all |= Unknown
			case of&Float != 0 || operator == "/":
				all |= Float
			default:
				all |= Int
			}
		}
	}
	return all
}

// name returns the kinds of a name that cannot be followed to an expression.
func (q *kindQuery) name(p origins.Place) (all Kinds) {
	bindings := q.info.ReachingDefs(p.Node)
	if b := q.info.BindingAt(p.Node); b != nil {
		bindings = []*names.Binding{b} // a library calls its function
	}
	if len(bindings) == 0 {
		return Unknown
	}
	for _, b := range bindings {
		switch {
		case b.Kind == names.ForBinding:
			all |= q.element(p, b)
		case b.Kind == names.ParameterBinding && !b.Annotation.Valid() && !b.Value.Valid() && !b.IsInstance() && !q.info.TypeOf(p.Node).Known():
			all |= FromCaller
		case b.Kind == names.AssignBinding || b.Kind == names.WithBinding || b.Kind == names.UnpackBinding || b.Kind == names.FromBinding || b.Kind == names.AugmentedBinding:
			// another origin
		default:
			all |= q.typed(p.Node)
		}
	}
	return all
}

// element returns the kinds of what a loop binds to a name.
func (q *kindQuery) element(p origins.Place, b *names.Binding) Kinds {
	if b.Node.Field() == syntax.FieldLeft {
		if q.iterableKind(b.Value) == "range" {
			return Int
		}
		if row := q.of(origins.Place{Node: b.Value, In: p.In}); row.Surely(Tensor | Array) {
			return row
		}
		return Unknown
	}
	if pattern := b.Node.Parent(); q.iterableKind(b.Value) == "enumerate" && pattern.Field() == syntax.FieldLeft && pattern.FirstChild() == b.Node {
		return Int
	}
	if split := b.Value; q.splitter(split).Valid() || q.iterableKind(split) == "enumerate" && q.splitter(names.Argument(split, 0, "iterable")).Valid() {
		return Array // the indices of the examples of a fold
	}
	return Unknown // an element that is unpacked
}

// typed returns the kind of an object whose class is known.
func (q *kindQuery) typed(n syntax.Node) Kinds {
	class := q.info.TypeOf(n)
	is := func(of string) bool { return q.info.InstanceOf(n, of) }
	switch {
	case !class.Known():
		return Unknown
	case class.Class == "tensorflow.Variable", class.Class == "tensorflow.Tensor":
		return Tensor
	case class.Class == "numpy.ndarray":
		return Array
	case is("tensorflow.data.Dataset"):
		return Dataset
	case slices.ContainsFunc(optimizers, is), IsOptimizer(class):
		return Optimizer
	case slices.ContainsFunc(withVariables, is), strings.HasPrefix(class.Class, "tensorflow.keras.losses."):
		return Model
	}
	return Unknown
}

var (
	withVariables = []string{"tensorflow.keras.layers.Layer", "tensorflow.keras.Model", "tensorflow.keras.metrics.Metric"}
	optimizers    = []string{"tensorflow.keras.optimizers.Optimizer", "tensorflow.train.Optimizer", "tensorflow.compat.v1.train.Optimizer"}
)

// IsOptimizer reports whether a type is one of Keras's optimizers.
func IsOptimizer(t names.Type) bool {
	return strings.HasPrefix(t.Class, "tensorflow.keras.optimizers.") && !strings.HasPrefix(t.Class, "tensorflow.keras.optimizers.schedules.")
}

// call returns the kinds of what a call returns, if it is no function of the program.
func (q *kindQuery) call(p origins.Place) Kinds {
	n, callee := p.Node, q.info.Callee(p.Node)
	if typed := q.typed(n); typed != Unknown {
		return typed
	}
	switch e := effects.Lookup(callee); {
	case OneTensor(callee):
		return Tensor
	case e != nil && e.Effects.Has(effects.BuildsOptimizer):
		return Optimizer
	case e != nil && e.Effects.Has(effects.BuildsModel|effects.LoadsModel):
		return Model
	case q.drawsNumber(n):
		return Float
	case callee == "random.randint", callee == "random.randrange", callee == "numpy.random.randint" && !names.Argument(n, 2, "size").Valid():
		return Int
	case strings.HasPrefix(callee, "tensorflow.keras.datasets.") && len(p.Path) == 2:
		return Array
	case callee == "numpy.shape", strings.HasPrefix(callee, "collections."):
		return Container
	case strings.HasPrefix(callee, "numpy.") && !strings.HasPrefix(callee, "numpy.random.RandomState"):
		return Array
	}
	switch q.info.Builtin(n) {
	case "int", "len", "round", "bool":
		return Int
	case "float":
		return Float
	case "str", "repr", "input":
		return Text
	case "list", "sorted":
		return List
	case "tuple", "set", "dict", "zip", "enumerate", "range":
		return Container
	}
	if method := names.Method(n); method != "" && callee == "" {
		switch method {
		case "numpy", "astype":
			return Array
		case "tolist":
			return List
		case "item":
			return Number
		}
		if object := q.of(origins.Place{Node: n.Child(syntax.FieldFunction).Child(syntax.FieldObject), In: p.In}); object.Surely(Array | Text) {
			return object
		}
	}
	return q.returned(p)
}

// returned returns the kinds of what calling a layer, a sequential model, or an object of the program returns.
func (q *kindQuery) returned(call origins.Place) (all Kinds) {
	function := call.Node.Child(syntax.FieldFunction)
	class := q.info.TypeOf(function)
	if class.Local == nil {
		if class.Class == "tensorflow.keras.Sequential" || strings.HasPrefix(class.Class, "tensorflow.keras.layers.") && !several[class.Class] {
			return Tensor
		}
		return Unknown
	}
	for _, name := range []string{"call", "__call__"} {
		m := class.Local.Info.Method(class.Local, name)
		if m == nil {
			continue
		}
		if len(m.Returns) == 0 || m.Yields {
			return Unknown
		}
		in := q.Enter(m, call.Node, call.In)
		for _, r := range m.Returns {
			all |= q.of(origins.Place{Node: r, Path: call.Path, In: in})
		}
	}
	return cmp.Or(all, Unknown)
}

// DType returns the type of the items of an array or a tensor, if it is known. The functions that make
// it tell it: see [Facts.Rows].
func (f *Facts) DType(n syntax.Node, in *origins.Call) tensor.DType {
	for rank := 1; rank <= mostDimensions; rank++ {
		t := f.trial(rank, false, false)
		t.unknownType = ""
		if _, dtype, ok := numpy.Of(t.of(origins.Place{Node: n, In: in})); ok {
			return dtype
		}
	}
	return ""
}

// NamedDType returns the type that an expression names, as a string or by a name of NumPy's or
// TensorFlow's, or "".
func (f *Facts) NamedDType(n syntax.Node) tensor.DType {
	if made, ok := f.Only(n, nil); ok {
		n = made.Node
	}
	name, ok := names.StringValue(n)
	if !ok {
		name = f.info.Qualified(n)
		if i := strings.LastIndexByte(name, '.'); strings.HasPrefix(name, "tensorflow.") || strings.HasPrefix(name, "numpy.") {
			name = name[i+1:]
		} else {
			return ""
		}
	}
	if name == "double" {
		return "float64"
	}
	return tensor.DType(name)
}

// several are the operations and layers that do not, or not always, return one tensor.
var several = map[string]bool{
	"tensorflow.unstack": true, "tensorflow.split": true, "tensorflow.gradients": true, "tensorflow.no_op": true, "tensorflow.print": true,
	"tensorflow.cond": true, "tensorflow.while_loop": true, "tensorflow.map_fn": true,
	"tensorflow.nn.moments": true, "tensorflow.nn.weighted_moments": true, "tensorflow.nn.sufficient_statistics": true, "tensorflow.nn.normalize_moments": true,
	"tensorflow.nn.top_k": true, "tensorflow.math.top_k": true, "tensorflow.math.approx_max_k": true, "tensorflow.math.approx_min_k": true,
	"tensorflow.nn.max_pool_with_argmax": true, "tensorflow.nn.ctc_greedy_decoder": true, "tensorflow.nn.ctc_beam_search_decoder": true, "tensorflow.nn.ctc_unique_labels": true,
	"tensorflow.linalg.svd": true, "tensorflow.linalg.qr": true, "tensorflow.linalg.eig": true, "tensorflow.linalg.eigh": true, "tensorflow.linalg.lu": true,
	"tensorflow.linalg.slogdet": true, "tensorflow.linalg.normalize": true, "tensorflow.image.image_gradients": true,
	"tensorflow.image.sample_distorted_bounding_box": true, "tensorflow.image.combined_non_max_suppression": true,
	"tensorflow.keras.backend.function": true, "tensorflow.keras.backend.gradients": true,
	"tensorflow.image.non_max_suppression_with_scores": true, "tensorflow.image.non_max_suppression_padded": true,

	"tensorflow.keras.layers.Layer": true, "tensorflow.keras.layers.Lambda": true, "tensorflow.keras.layers.TimeDistributed": true, "tensorflow.keras.layers.TFSMLayer": true,
	"tensorflow.keras.layers.RNN": true, "tensorflow.keras.layers.LSTM": true, "tensorflow.keras.layers.GRU": true, "tensorflow.keras.layers.SimpleRNN": true,
	"tensorflow.keras.layers.LSTMCell": true, "tensorflow.keras.layers.GRUCell": true, "tensorflow.keras.layers.SimpleRNNCell": true, "tensorflow.keras.layers.StackedRNNCells": true,
	"tensorflow.keras.layers.ConvLSTM1D": true, "tensorflow.keras.layers.ConvLSTM2D": true, "tensorflow.keras.layers.ConvLSTM3D": true, "tensorflow.keras.layers.Bidirectional": true,
	"tensorflow.keras.layers.Attention": true, "tensorflow.keras.layers.AdditiveAttention": true,
	"tensorflow.keras.layers.MultiHeadAttention": true, "tensorflow.keras.layers.GroupQueryAttention": true,
}

// OneTensor reports whether calling a name of TensorFlow returns one tensor.
func OneTensor(name string) bool {
	e := effects.Lookup(name)
	return e != nil && e.Effects.Has(effects.AddsOperation) && e.Returns == "" && !several[name] && !RunsPython[name]
}

// RunsPython are the functions of TensorFlow that run Python code in a graph.
var RunsPython = map[string]bool{"tensorflow.py_function": true, "tensorflow.numpy_function": true, "tensorflow.py_func": true}

// StepsEnvironment reports whether an expression is a step of an environment of Gymnasium, or of
// Gym before it.
func (f *Facts) StepsEnvironment(n syntax.Node) bool {
	if names.Method(n) != "step" {
		return false
	}
	made, _ := f.Only(n.Child(syntax.FieldFunction).Child(syntax.FieldObject), nil)
	name := f.info.Callee(made.Node)
	return name == "gymnasium.make" || name == "gym.make"
}
